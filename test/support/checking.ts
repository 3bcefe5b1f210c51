import assert from 'node:assert/strict'
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { emptyLog } from '../../src/db/upkeep.ts'
import { checkLibrary } from '../../src/keep/check/check.ts'
import type { Finding } from '../../src/keep/check/finding.ts'
import type { CheckOptions } from '../../src/keep/check/request.ts'
import { dataFolder } from '../../src/media/data-folder.ts'
import { addTag } from './files.ts'
import { type Library, openLibrary, picture } from './harness.ts'
import { madeOnce } from './run-folder.ts'

/** What a check tells, by kinds and subjects. */
export type Told = Pick<Finding, 'kind' | 'subject' | 'repaired'>

/** Runs something while another process, as it were, holds the lock of the database, so that it takes no write. */
export async function withLockedDatabase<Result>(
  { deps, folder }: Library,
  work: () => Promise<Result>,
): Promise<Result> {
  const other = openDatabase(dataFolder(folder).database)
  // Whoever wants it waits for nothing.
  deps.db.get('PRAGMA busy_timeout = 0')
  other.run('BEGIN IMMEDIATE')
  try {
    return await work()
  } finally {
    other.close()
    deps.db.get('PRAGMA busy_timeout = 5000')
  }
}

/** Returns all that a check of the library finds. */
export async function findingsOf(
  { deps }: Library,
  options: Partial<CheckOptions> = {},
): Promise<Finding[]> {
  const found: Finding[] = []
  const { signal } = new AbortController()
  const asked = { read: 'all', repair: false, signal, ...options } as const
  for await (const event of checkLibrary(deps, asked)) {
    if (event.type === 'finding') found.push(event)
  }
  return found
}

/** Asserts that a check finds exactly this, in any order. */
export async function assertFound(
  library: Library,
  expected: Told[],
  options: Partial<CheckOptions> = {},
): Promise<Finding[]> {
  const found = await findingsOf(library, options)
  const told = found.map(({ kind, subject, repaired }) => ({ kind, subject, repaired }))
  assert.deepEqual(told.sort(byKey), [...expected].sort(byKey))
  return found
}

function byKey(a: Told, b: Told): number {
  return `${a.kind} ${a.subject}` < `${b.kind} ${b.subject}` ? -1 : 1
}

/** What tests name of a furnished library. */
interface Contents {
  token: string
  user: number
  files: string[]
  tags: string[]
  pool: string
}

/** Returns a library with pictures, tags, a pool, an undone pair of duplicates and somebody who may see one file. */
export async function openFurnished() {
  const made = await madeOnce('furnished', 'a library to be checked', furnish)
  const data = join(made, 'data')
  const library = await openLibrary(SETTINGS, {}, {}, dataFolder(data).database)
  for (const name of FOLDERS.filter((name) => existsSync(join(data, name)))) {
    cpSync(join(data, name), join(library.folder, name), { recursive: true })
  }
  closeToOthers(library.folder)
  const contents: Contents = JSON.parse(readFileSync(join(made, 'contents.json'), 'utf8'))
  return { library, ...contents }
}

const SETTINGS = { DISK_RESERVE: '0' }
const FOLDERS = ['files', 'thumbnails', 'previews', 'thumbnails640', 'full']

/** Makes such a library once for a run, at a path that has its data folder and its contents by name. */
async function furnish(path: string): Promise<void> {
  const library = await openLibrary(SETTINGS)
  const contents = await fill(library)
  emptyLog(library.deps.db)
  cpSync(library.folder, join(path, 'data'), { recursive: true })
  writeFileSync(join(path, 'contents.json'), JSON.stringify(contents))
  await library.close()
}

/** A server writes nothing that others can read. */
function closeToOthers(folder: string): void {
  for (const name of ['tagstead.sqlite', 'tagstead.sqlite-wal', 'tagstead.sqlite-shm']) {
    if (existsSync(join(folder, name))) chmodSync(join(folder, name), 0o600)
  }
  for (const name of FOLDERS) {
    if (existsSync(join(folder, name))) chmodSync(join(folder, name), 0o700)
  }
}

async function fill(library: Library): Promise<Contents> {
  const { id: user, token } = await library.join('Ann', { is_admin: true })
  const ben = await library.join('Ben', { can_create: true })
  const files: string[] = []
  for (let n = 0; n < 5; n++) {
    const { body } = await library.upload(token, await picture(n % 4), `Bild ${n} – 😀.jpg`)
    files.push(body.id)
  }
  await library.upload(ben.token, await picture(7), 'a.jpg')
  const tags = [await addTag(library, token, 'Holiday'), await addTag(library, token, 'Sea')]
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await library.call(method, path, { token, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  await call('PUT', `/files/${files[0]}/tags`, { tag_ids: tags.map(({ id }) => id) })
  await call('PUT', `/files/${files[1]}/tags`, { tag_ids: [tags[0].id] })
  const pool = await call('POST', '/pools', { name: 'Best' })
  await call('POST', `/pools/${pool.id}/files`, { file_ids: files })
  await call('POST', '/files/duplicates/dismiss', { file_id_a: files[4], file_id_b: files[0] })
  await call('PUT', `/acl/file/${files[2]}`, { permissions: [{ user_id: ben.id }] })
  await library.call('DELETE', `/files/${files[3]}`, { token })
  return { token, user, files, tags: tags.map(({ id }) => id as string), pool: pool.id }
}

export type Furnished = Awaited<ReturnType<typeof openFurnished>>

/** Returns the rows of a statement without what would keep them in step. */
export function without(db: Db, triggers: string[], work: () => void): void {
  const made = triggers.map((name) => {
    const { sql } = db.get<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?', name)!
    db.run(`DROP TRIGGER ${name}`)
    return sql
  })
  work()
  for (const sql of made) db.run(sql)
}

/**
 * Changes bytes of the page where a table or an index of a small library begins, as a bad disk would. The library
 * must be closed, with nothing left in its write-ahead log.
 */
export function changePage(
  path: string,
  { root, size }: { root: number; size: number },
  change: (page: Buffer) => void,
): void {
  const bytes = readFileSync(path)
  change(bytes.subarray((root - 1) * size, root * size))
  writeFileSync(path, bytes)
}

/** Returns where a table or an index begins. */
export function rootOf(db: Db, name: string): { root: number; size: number } {
  return db.get<{ root: number; size: number }>(
    'SELECT rootpage AS root, page_size AS size FROM sqlite_schema, pragma_page_size WHERE name = ?',
    name,
  )!
}
