import { createApp } from '../../src/app.ts'
import { blobToUuid } from '../../src/db/columns.ts'
import { walk } from '../support/contract/walk.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { fillLibrary, type Made } from './library.ts'
import { measureOnce, printTable } from './measure.ts'

const FILES = 100_000
const REQUESTS = 700
/** Milliseconds; nobody should have to wait longer for others. */
const GOAL = 50
/** As many files as a request may name. */
const MANY = 10_000
/** Operations that are one transaction each, so they hold the event loop as long as they take. */
const APART = /^bulk|^commonTags|Rule|^reorder|^(add|remove)PoolFiles/

interface Longest {
  /** Milliseconds. */
  hold: number
  ms: number
  request: string
  count: number
}

/** Prints the longest hold of the event loop by each operation on a library of 100,000 files. */
export async function bench(): Promise<void> {
  const library = await openLibrary()
  try {
    const made = fillLibrary(library.deps.db, { files: FILES })
    library.deps.db.run('ANALYZE')
    const longest = new Map<string, Longest>()
    const watched = watch(library, longest)
    await walk(watched, { seed: 1, count: REQUESTS, pictures: [await picture()] })
    await askMuch(watched, made)
    const rows = [...longest].sort(([, a], [, b]) => b.hold - a.hold)
    const table = rows.map(([operation, { hold, ms, count, request }]) => ({
      operation,
      hold,
      'of ms': ms,
      requests: String(count),
      '': hold <= GOAL ? '' : APART.test(operation) ? 'apart' : 'TOO LONG',
      request: hold <= GOAL ? '' : request.slice(0, 90),
    }))
    printTable(`the longest hold of the event loop, ${FILES} files, goal ${GOAL} ms`, table)
  } finally {
    await library.close()
  }
}

/** Returns the library with requests that are timed instead of checked against the document. */
function watch(library: Library, longest: Map<string, Longest>): Library {
  const app = createApp(library.deps)
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    // The rescan works in a process of its own, for as long as it takes, and has a bench of its
    // own.
    if (path.startsWith('/api/v1/files/duplicates/rescan')) return new Response()
    let response = new Response()
    let text = ''
    const { hold, ms } = await measureOnce(async () => {
      response = await app.request(path, init)
      text = await response.text()
    })
    const method = init.method ?? 'GET'
    const id = library.contract.operationOf(method, path)?.id ?? 'nothing'
    const { status, headers } = response
    const before = longest.get(id) ?? { hold: -1, ms: 0, request: '', count: 0 }
    const body = typeof init.body === 'string' ? ` ${init.body}` : ''
    const found = { hold, ms, request: `${status} ${path.slice('/api/v1'.length)}${body}` }
    longest.set(id, { ...(hold > before.hold ? found : before), count: before.count + 1 })
    return new Response([204, 205, 304].includes(status) ? null : text, { status, headers })
  }
  return { ...library, request, contract: { ...library.contract, check: () => {} } }
}

/** Sends what costs most, as an admin and as a user who sees a part. */
async function askMuch(library: Library, made: Made): Promise<void> {
  const { db, passwords } = library.deps
  for (const name of ['root', 'ben']) {
    const hash = await passwords.hash(name)
    db.run('UPDATE users SET password_hash = ? WHERE name = ?', hash, name)
    const { access_token } = (await library.login(name, name)).body
    const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
    const send = async (method: string, path: string, body?: object) => {
      const init = { method, headers, body: body ? JSON.stringify(body) : null }
      const response = await library.request(`/api/v1${path}`, init)
      return JSON.parse((await response.text()) || 'null')
    }
    for (const path of readings(made)) await send('GET', path)
    await changeMuch(library, made, send)
  }
}

function readings({ tags, hidden }: Made): string[] {
  const sorts = ['created', 'content_datetime', 'original_name', 'mime']
  const [first, second] = [tags[0]!.id, tags[1]!.id]
  const filters = [
    `{t=${first}}`,
    `{!,t=${first}}`,
    `{t=${first},&,!,t=${second},&,m~video/%}`,
    `{(,t=${hidden.id},|,r=1,),&,m~%25e%25}`,
    '{t=00000000-0000-0000-0000-000000000000}',
    `{${Array.from({ length: 100 }, (_, n) => `t=${tags[n]!.id}`).join(',|,')}}`,
  ]
  const searches = ['img', 'e', 'nothing like it', '2012']
  const variants = [
    '',
    '&trash=true',
    ...filters.map((filter) => `&filter=${filter.replaceAll('&', '%26')}`),
    ...searches.map((search) => `&search=${encodeURIComponent(search)}`),
    `&search=e&filter={t=${first}}`,
  ]
  return [
    ...sorts.flatMap((sort) =>
      ['asc', 'desc'].flatMap((order) =>
        variants.map((rest) => `/files?limit=200&sort=${sort}&order=${order}${rest}`),
      ),
    ),
    ...['name', 'color', 'category_name', 'created'].map((sort) => `/tags?limit=200&sort=${sort}`),
    '/tags?limit=200&offset=1800&search=1',
    `/tags/${first}/files?limit=200`,
    '/files/duplicates?limit=50',
    '/audit?limit=200',
  ]
}

type Send = (method: string, path: string, body?: object) => Promise<{ id: string }>

async function changeMuch({ deps }: Library, { tags, users }: Made, send: Send): Promise<void> {
  const file_ids = deps.db
    .all<{ id: Uint8Array }>('SELECT id FROM files WHERE is_public = 1 LIMIT ?', MANY)
    .map((row) => blobToUuid(row.id))
  const { id: pool } = await send('POST', '/pools', { name: 'many' })
  await send('POST', `/pools/${pool}/files`, { file_ids })
  await send('PUT', `/pools/${pool}/files/reorder`, { file_ids: file_ids.toReversed() })
  for (const sort_key of ['manual', 'created', 'original_name']) {
    await send('PATCH', `/pools/${pool}`, { sort_key })
    for (const filter of ['{}', `{t=${tags[0]!.id}}`, '{m~video/%}']) {
      await send('GET', `/pools/${pool}/files?limit=200&filter=${filter}`)
    }
  }
  await send('GET', '/pools?limit=200')
  await send('GET', `/files/${file_ids[0]}/similar?distance=64&limit=200`)
  await send('POST', `/pools/${pool}/files/remove`, { file_ids })
  await send('DELETE', `/pools/${pool}`)
  const tag = await send('POST', '/tags', { name: 'many', is_public: true })
  for (const action of ['add', 'remove']) {
    await send('POST', '/files/bulk/tags', { file_ids, action, tag_ids: [tag.id] })
  }
  await send('POST', '/files/bulk/common-tags', { file_ids })
  await send('POST', '/files/bulk/review', { file_ids, needs_review: true })
  await send('PATCH', `/tags/${tags[2]!.id}`, { is_public: false, name: 'another' })
  await send('POST', `/tags/${tags[3]!.id}/rules`, { then_tag_id: tag.id })
  await send('DELETE', `/tags/${tags[4]!.id}`)
  await send('DELETE', `/users/${users.ann.id}`)
}
