import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExportResult, exportLibrary } from '../../src/exports/export.ts'
import { LibraryLine } from '../../src/exports/library-format.ts'
import type { Sharing } from '../../src/exports/write.ts'
import { type Library, openLibrary, picture } from './harness.ts'
import { box } from './media/iso-film.ts'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** What is a film by its first bytes. */
const FILM = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\u0002\0isommp41')), box('moov')])

/** A library with everything that people make, of the admin root, of ann, and of bob, who sees what ann shares. */
export async function makeExportedLibrary() {
  const library = await openLibrary()
  const people = {
    root: await library.join('root', { is_admin: true }),
    ann: await library.join('ann', { can_create: true }),
    bob: await library.join('bob', { can_create: true }),
  }
  type Name = keyof typeof people
  const ask = async (by: Name, method: string, path: string, body?: object) => {
    const answer = await library.call(method, path, {
      token: people[by].token,
      ...(body && { body }),
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const make = async (by: Name, path: string, body: object): Promise<string> =>
    (await ask(by, 'POST', path, body)).id
  const contents: Record<string, Uint8Array> = {}
  const upload = async (by: Name, seed: number, name: string, content_datetime: string) => {
    const bytes = name.endsWith('mp4') ? FILM : await picture(seed)
    const fields = { content_datetime }
    const { body, status, text } = await library.upload(people[by].token, bytes, name, fields)
    assert.equal(status, 201, text)
    contents[body.id] = bytes
    return body.id as string
  }
  const share = (type: string, id: string, by: Name, ...rights: object[]) =>
    ask(by, 'PUT', `/acl/${type}/${id}`, { permissions: rights })
  const bob = { user_id: people.bob.id }

  const places = await make('ann', '/categories', {
    name: 'Places',
    color: 'ff8800',
    is_public: true,
  })
  const rating = await make('ann', '/categories', { name: 'Rating', is_public: true })
  const secret = await make('ann', '/categories', { name: 'Secret', notes: 'hers' })
  const texas = await make('ann', '/tags', { name: 'Texas', category_id: places, is_public: true })
  const paris = await make('ann', '/tags', {
    ...{ name: 'Paris (Texas)', category_id: places, is_public: true, notes: 'two\nlines' },
    metadata: { xmp_path: ['Texas', 'Paris'], more: 1 },
  })
  const stars = await make('ann', '/tags', { name: '★★★', category_id: rating, is_public: true })
  const hidden = await make('ann', '/tags', { name: 'Hidden', category_id: secret })
  await ask('ann', 'POST', `/tags/${paris}/rules`, { then_tag_id: texas, apply_to_existing: true })
  const beach = await upload('ann', 1, 'beach.jpg', '2019-07-14T10:00:00+02:00')
  const twin = await upload('ann', 2, 'BEACH.JPG', '2019-07-31T23:30:00-02:00')
  const film = await upload('ann', 3, 'beach.mp4', '2019-07-14T10:00:00+02:00')
  const odd = await upload('bob', 4, '.a?b|c.jpg', '2020-01-01T00:30:00+01:00')
  const gone = await upload('ann', 5, 'gone.jpg', '2020-02-01T00:00:00Z')
  await ask('ann', 'PUT', `/files/${beach}/tags`, { tag_ids: [paris, stars, hidden] })
  await ask('ann', 'PATCH', `/files/${beach}`, {
    ...{ notes: 'By the <sea>', metadata: { of: [1, null] }, rotation: 90 },
  })
  await ask('ann', 'PATCH', `/files/${twin}`, {
    ...{ content_datetime: '2019-07-15T00:00:00Z', date_precision: 'month' },
  })
  await ask('ann', 'PATCH', `/files/${film}`, { companion_of: beach })
  await ask('ann', 'PUT', `/files/${beach}/favourite`)
  await ask('root', 'PUT', `/files/${beach}/favourite`)
  await ask('ann', 'DELETE', `/files/${gone}`)
  await ask('ann', 'POST', '/files/duplicates/dismiss', { file_id_a: beach, file_id_b: twin })
  await ask('ann', 'POST', '/files/bulk/review', { file_ids: [beach], needs_review: false })
  await share('file', beach, 'ann', { ...bob, can_view: true, can_edit: true })
  const summer = await make('ann', '/pools', { name: 'Summer', notes: 'hot', shares_files: true })
  await ask('ann', 'POST', `/pools/${summer}/files`, { file_ids: [twin, beach] })
  await share('pool', summer, 'ann', { ...bob, can_view: true })
  const own = await make('ann', '/pools', { name: 'Summer' })
  await ask('ann', 'POST', `/pools/${own}/files`, { file_ids: [beach] })
  await make('ann', '/pools', {
    ...{ name: 'Smart', is_public: true },
    filter: `{(,t=${paris},|,c=${places},),&,!,p=${summer},&,u=${people.ann.id},&,f=0}`,
  })
  return { library, people, ask, upload, contents, files: { beach, twin, film, odd, gone } }
}

/** Exports a library, and returns the result and the faults. */
export async function exported(
  { deps }: Pick<Library, 'deps'>,
  dir: string,
  options: { user?: string; filter?: string; sharing?: Sharing; signal?: AbortSignal } = {},
): Promise<ExportResult & { told: [string, string][] }> {
  const told: [string, string][] = []
  const request = {
    ...{ config: deps.config, dir, user: options.user, filter: options.filter },
    sharing: options.sharing ?? ('auto' as const),
    signal: options.signal ?? new AbortController().signal,
  }
  const result = await exportLibrary(request, {
    onProgress: () => {},
    onFault: (path, why) => told.push([path, why]),
  })
  return { ...result, told }
}

/** Returns the lines of an export's `library.json`, which must be JSON as a whole, too. */
export function linesIn(dir: string): LibraryLine[] {
  const text = readFileSync(join(dir, 'library.json'), 'utf8')
  const rows = text.split('\n')
  assert.deepEqual([rows[0], ...rows.slice(-2)], ['[', ']', ''])
  const each = rows.slice(1, -2).map((row) => JSON.parse(row.replace(/,$/, '')))
  assert.deepEqual(JSON.parse(text), each)
  return each.map((line) => LibraryLine.parse(line))
}

/** Returns the paths of the files that people see in an export. */
export function seenIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => !path.startsWith('.tagstead-export/'))
    .sort()
}
