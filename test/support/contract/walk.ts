import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Library } from '../harness.ts'
import { fc } from '../property.ts'
import { brokenRequests } from './broken-requests.ts'
import { type MadeForm, type MadeRequest, soundRequests } from './requests.ts'

/** The ids and the cursors that requests may name, by their kind. */
export type Known = Record<string, (string | number)[]>

export interface Walker {
  /** Sends the request and returns the status; throws when the document forbids the answer. */
  send(request: MadeRequest, as: Caller): Promise<number>
  /** Returns an access token of a new session; the caller is as at first, whatever requests did. */
  tokenOf(as: Caller): Promise<string>
  /** Returns made-up requests to an operation, the same ones for the same seed. */
  requests(id: string, options: { seed: number; count: number; broken?: boolean }): MadeRequest[]
}

export type Caller = 'admin' | 'person'

/** The number of answers, by operation and status. */
export type Tally = Map<string, Map<number, number>>

/** Of the sessions that are put into the database. */
const NONCE = Buffer.alloc(16)
const BODILESS = ['GET', 'HEAD']
const UNKNOWN = '019b7ca9-0000-7000-8000-000000000000'
const LISTS = { tag: '/tags', category: '/categories', pool: '/pools' }
const CREATED: Record<string, string> = {
  uploadFile: 'file',
  createTag: 'tag',
  createCategory: 'category',
  createPool: 'pool',
  createUser: 'user',
}

/**
 * Sends requests to each operation in turn: every other one is broken, and half of them come from
 * an admin, half from an ordinary user. Throws with the seed and the request when the server fails
 * or the document does not allow an answer.
 */
export async function walk(
  library: Library,
  options: { seed: number; count: number; pictures: Uint8Array[] },
): Promise<Tally> {
  const { seed, count, pictures } = options
  mkdirSync(join(library.folder, 'import'), { recursive: true })
  const callers = {
    admin: await library.addUser('walking admin', { is_admin: true }),
    person: await library.addUser('walking person', { can_create: true }),
  }
  const known: Known = { user: [...Object.values(callers), await library.addUser('somebody')] }
  const walker = createWalker(library, { known, callers, pictures })
  const ids = library.contract.operations.map((operation) => operation.id)
  const rounds = Math.ceil(count / ids.length)
  // Each operation has its own seed: with the same one, all would name what the first deletes.
  const made = ids.map((id, index) => [
    walker.requests(id, { seed: seed + index, count: rounds }),
    walker.requests(id, { seed: seed + index, count: rounds, broken: true }),
  ])
  const tally: Tally = new Map(ids.map((id) => [id, new Map()]))
  for (let round = 0; round < rounds; round++) {
    await furnish(library, { known, tokenOf: walker.tokenOf, picture: pictures[0]!, round })
    for (const [index, id] of ids.entries()) {
      const request = made[index]![round % 2]![round]!
      const as = (round >> 1) % 2 === 0 ? 'admin' : 'person'
      try {
        const status = await walker.send(request, as)
        const statuses = tally.get(id)!
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      } catch (error) {
        const text = JSON.stringify(request, (key, value) => (key === 'operation' ? id : value))
        throw new Error(`seed ${seed}, round ${round}, as ${as}: ${text.slice(0, 2000)}`, {
          cause: error,
        })
      }
    }
  }
  return tally
}

/** Returns a walker; each object that its requests create is known from then on. */
export function createWalker(
  library: Library,
  options: { known: Known; callers: Record<Caller, number>; pictures: Uint8Array[] },
): Walker {
  const { known, callers, pictures } = options
  const { db, tokens, webTokens } = library.deps

  async function send(request: MadeRequest, as: Caller): Promise<number> {
    const { operation } = request
    const fill = (text: string) => fillIn(text, known)
    const headers = new Headers(request.headers)
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${await tokenOf(as)}`)
    if (operation.path.startsWith('/web/')) {
      headers.set('X-Tagstead', '1')
      headers.set('Content-Type', headers.get('Content-Type') ?? 'application/json')
      headers.set('Cookie', cookies())
    }
    if (operation.path.startsWith('/s/')) headers.set('X-Tagstead', '1')
    const path = fill(request.path)
    const { method } = operation
    const body = bodyOf(request.body, fill)
    const isJson = operation.description.requestBody?.content['application/json']
    if (isJson && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    // GET and HEAD can't carry a body.
    const init = { method, headers, body: BODILESS.includes(method) ? null : body }
    const response = await library.request(path + fill(request.query), init)
    const text = await response.text()
    const { status } = response
    assert.ok(status < 500, text)
    const [, upload] =
      /^\/api\/v1\/uploads\/(.*)/.exec(response.headers.get('Location') ?? '') ?? []
    if (upload) remember(known, 'upload', upload)
    learn(operation.id, status, text)
    return status
  }

  function learn(id: string, status: number, text: string): void {
    const kind = CREATED[id]
    if (status === 201 && kind) remember(known, kind, JSON.parse(text).id)
    if (status === 200 && /^list(Tag|Pool)?Files$/.test(id)) {
      const { next_cursor, prev_cursor } = JSON.parse(text)
      if (next_cursor) remember(known, 'cursor', next_cursor)
      if (prev_cursor) remember(known, 'cursor', prev_cursor)
    }
  }

  async function tokenOf(as: Caller): Promise<string> {
    const { now } = library.time
    db.run(
      `INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked)
       VALUES (?, ?, '', ?, 1, 0)
       ON CONFLICT (id) DO UPDATE SET is_admin = excluded.is_admin, can_create = 1, is_blocked = 0`,
      callers[as],
      `walking ${as} again`,
      Number(as === 'admin'),
    )
    const { id } = db.get<{ id: number }>(
      `INSERT INTO sessions (user_id, user_agent, nonce, generation, rotated_at, started_at,
       expires_at, last_activity) VALUES (?, '', zeroblob(16), 1, ?, ?, ?, ?) RETURNING id`,
      callers[as],
      now,
      now,
      now + 86_400_000,
      now,
    )!
    known.session = [id, id - 1, 1]
    known.media = [webTokens.key({ id, nonce: NONCE })]
    return tokens.signAccess(callers[as], id)
  }

  /** Returns the cookies of the newest session. */
  function cookies(): string {
    const session = { id: Number(known.session?.[0]), generation: 1, nonce: NONCE }
    const name = `tagstead-${webTokens.instance}`
    return `${name}-s=${webTokens.refresh.make(session)}; ${name}-m=${webTokens.media(session)}`
  }

  return {
    send,
    tokenOf,
    requests: (id, { seed, count, broken }) => {
      const operation = library.contract.operations.find((each) => each.id === id)!
      const sound = soundRequests(operation, library.contract, pictures)
      return fc.sample(broken ? brokenRequests(sound) : sound, { seed, numRuns: count })
    },
  }
}

function remember(known: Known, kind: string, id: string | number): void {
  const all = known[kind] ?? []
  all.unshift(id)
  known[kind] = all.slice(0, 10)
}

/** Fills in each `@kind:number`; in JSON, numbers lose the quotes around it. */
function fillIn(text: string, known: Known): string {
  const pick = (kind: string, n: string) => {
    const all = known[kind] ?? []
    return all.length > 0 ? all[Number(n) % all.length]! : UNKNOWN
  }
  return text
    .replaceAll(/"@(user|session):(\d+)"/g, (_, kind, n) => String(pick(kind, n)))
    .replaceAll(/@(\w+):(\d+)/g, (_, kind, n) => String(pick(kind, n)))
}

function bodyOf(
  body: MadeRequest['body'],
  fill: (text: string) => string,
): string | Uint8Array<ArrayBuffer> | FormData | null {
  if (body === null) return null
  if (typeof body === 'string') return fill(body)
  if (body instanceof Uint8Array) return Uint8Array.from(body)
  return formOf(body, fill)
}

function formOf({ files, fields }: MadeForm, fill: (text: string) => string): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, fill(value))
  for (const { bytes, name } of files) {
    form.append('file', new Blob([Uint8Array.from(bytes)]), name)
  }
  return form
}

/**
 * Makes one more of everything for both callers and lists it, since requests delete what there is.
 */
async function furnish(
  library: Library,
  options: { known: Known; tokenOf: Walker['tokenOf']; picture: Uint8Array; round: number },
): Promise<void> {
  const { known, tokenOf, picture, round } = options
  for (const caller of ['admin', 'person'] as const) {
    const token = await tokenOf(caller)
    const is_public = round % 2 === 0
    for (const path of Object.values(LISTS)) {
      const body = { name: `${caller} ${round}`, is_public }
      const answer = await library.call('POST', path, { token, body })
      assert.equal(answer.status, 201, answer.text)
    }
    known.tag = await idsIn(library, LISTS.tag, token)
    const fields = { is_public: String(is_public), tag_ids: String(known.tag![0]) }
    const { status, text, body } = await library.upload(token, picture, 'a.jpg', fields)
    assert.equal(status, 201, text)
    remember(known, 'file', body.id)
  }
  const token = await tokenOf('admin')
  for (const [kind, path] of Object.entries(LISTS)) {
    known[kind] = await idsIn(library, path, token)
  }
  const { body } = await library.call('GET', '/files?limit=1', { token })
  remember(known, 'cursor', body.next_cursor)
  const shared = { file_ids: known.file, downloads: 'as_they_are', may_upload: true }
  const link = await library.call('POST', '/shares', { token, body: shared })
  assert.equal(link.status, 201, link.text)
  remember(known, 'share', link.body.id)
  known.link = [link.body.url.slice('/s/'.length)]
  const listed = await library.request(`${link.body.url}/list`)
  known.shared = ((await listed.json()) as { items: { id: string }[] }).items.map(({ id }) => id)
  known.object = ['file', 'tag', 'category', 'pool'].flatMap((kind) => known[kind]!.slice(0, 3))
}

async function idsIn(library: Library, path: string, token: string): Promise<string[]> {
  const { body } = await library.call('GET', `${path}?limit=8`, { token })
  return body.items.map((item: { id: string }) => item.id)
}
