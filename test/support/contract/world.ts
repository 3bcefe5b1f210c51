import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Tx, write } from '../../../src/db/write.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { insertUpload } from '../../../src/uploads/queries.ts'
import { blobFor, fileSeed, idAt, insertFiles, writeContent } from '../file-rows.ts'
import { form, type Library, openLibrary, picture } from '../harness.ts'
import {
  insertCategory,
  insertOperation,
  insertPool,
  insertRule,
  insertTag,
  lastOperation,
  putTags,
  ridOf,
} from '../object-rows.ts'
import { insertShare } from '../shares.ts'
import { pathsOf } from '../stored-files.ts'
import { PAGE, signInToPage } from '../web-session.ts'
import type { ContractOperation } from './contract.ts'

const id = (n: number) => idAt(Date.UTC(2026, 0, 1), n)

/** The objects, all private and all but `hidden` the owner's; nothing has the id `unknown`. */
export const IDS = {
  file: id(1),
  second: id(2),
  trashed: id(3),
  tag: id(11),
  follower: id(12),
  free: id(13),
  hidden: id(14),
  category: id(21),
  pool: id(31),
  upload: id(41),
  share: id(51),
  unknown: id(99),
}
/** The characters of the links: one that gives everything, one that gives nothing, and one with a password. */
export const LINKS = { open: 'A'.repeat(22), closed: 'C'.repeat(22), locked: 'E'.repeat(22) }
export const UNKNOWN_NUMBER = 999_999

/** A key of the scope `admin`, of somebody who is no admin any more. */
const KEY = `tsk_${'0'.repeat(26)}`

export type Person = 'admin' | 'owner' | 'stranger' | 'blocked' | 'target'

/** A request, as far as it differs from the plain one of its operation. */
export interface Ask {
  as?: Person | 'nobody' | 'former admin'
  /** Parameters of the path. */
  path?: Record<string, string | number>
  /** With its question mark. */
  query?: string
  /** Sent as JSON; a text and bytes are sent as they are. */
  body?: unknown
  /** The file of a form. */
  file?: Uint8Array
  fields?: Record<string, string>
  headers?: Record<string, string>
}

export interface World {
  library: Library
  image: Uint8Array
  /** Ids by name. */
  users: Record<Person, number>
  /** Makes everything as it was at the beginning. */
  reset(): void
  signIn(person: Person): Promise<{ access_token: string; refresh_token: string }>
  /** Sends the request that many times at once and returns the statuses of the answers. */
  ask(operation: ContractOperation, ask: Ask, count?: number): Promise<number[]>
  close(): Promise<void>
}

/** Returns a small library that has something of every kind. */
export async function openWorld(settings: Record<string, string>): Promise<World> {
  const library = await openLibrary(settings)
  const { db } = library.deps
  const image = await picture()
  mkdirSync(join(library.folder, 'import'))
  const users: Record<Person, number> = {
    admin: await library.addUser('admin', { is_admin: true }),
    owner: await library.addUser('owner', { can_create: true }),
    stranger: await library.addUser('stranger'),
    blocked: await library.addUser('blocked'),
    target: 0,
  }
  db.run('UPDATE users SET is_blocked = 1 WHERE id = ?', users.blocked)
  const target = {
    name: 'target',
    hash: await library.deps.passwords.hash('password of target'),
  }

  function reset(): void {
    // After this time the failed attempts so far are forgotten.
    library.time.now += 120_000
    write(db, { now: 0 }, () => {
      const objects = ['files', 'tags', 'categories', 'pools', 'duplicate_scans']
      for (const table of [...objects, 'sessions', 'api_keys', 'uploads'])
        db.run(`DELETE FROM ${table}`)
      db.run(
        `INSERT INTO api_keys (user_id, name, scope, digest, created_at)
         VALUES (?, 'app', 'admin', ?, 0)`,
        users.stranger,
        createHash('sha256').update(KEY).digest(),
      )
      db.run('DELETE FROM users WHERE id > ?', users.blocked)
      users.target = db.get<{ id: number }>(
        `INSERT INTO users (name, password_hash, is_admin, can_create, is_blocked)
         VALUES (?, ?, 0, 0, 0) RETURNING id`,
        target.name,
        target.hash,
      )!.id
    })
    insertFiles(
      db,
      [IDS.file, IDS.second, IDS.trashed].map((file) =>
        fileSeed(file, { owner: users.owner, trashed: file === IDS.trashed }),
      ),
    )
    write(db, { now: 0 }, () => addObjects(users.owner))
    if (existsSync(pathsOf(library.deps).content(blobFor(IDS.file)))) return
    writeContent(library, IDS.file, image)
    db.run('UPDATE file_details SET size = ?', image.length)
  }

  function addObjects(owner: number): void {
    insertCategory(db, { id: IDS.category, name: 'category', owner })
    insertTag(db, { id: IDS.tag, name: 'tag', owner, category: IDS.category })
    insertTag(db, { id: IDS.follower, name: 'then', owner })
    insertTag(db, { id: IDS.free, name: 'free', owner })
    insertTag(db, { id: IDS.hidden, name: 'hidden', owner: users.admin })
    insertRule(db, IDS.tag, IDS.follower)
    putTags(db, IDS.file, [IDS.tag])
    insertPool(db, { id: IDS.pool, name: 'pool', owner, files: [IDS.file, IDS.second] })
    const { now } = library.time
    const made = { owner, pool: IDS.pool, now }
    insertShare(db, { ...made, id: IDS.share, token: LINKS.open })
    const closed = { may_upload: 0, downloads: 'none' }
    insertShare(db, { ...made, token: LINKS.closed, fields: closed })
    insertShare(db, { ...made, token: LINKS.locked, fields: { password_hash: target.hash } })
    insertOperation(db, { owner, file: IDS.file, now: library.time.now })
    db.run('INSERT INTO duplicate_scans VALUES (1, 8, 0, 0, 1, 1, 0)')
    for (const file of [IDS.file, IDS.second]) {
      const rid = ridOf(db, 'file', file)
      db.run('UPDATE files SET phash = 7 WHERE rid = ?', rid)
      db.run('INSERT INTO duplicate_members VALUES (1, ?, 1, 7)', rid)
    }
    db.run('UPDATE file_details SET size = ?', image.length)
    const until = library.time.now + 1000
    const upload = { id: IDS.upload, user_id: users.admin, name: null, length: image.length, until }
    insertUpload(db as Tx, { ...upload, fields: '{}' })
    rmSync(dataFolder(library.folder).uploads, { recursive: true, force: true })
  }

  async function signIn(person: Person) {
    const answer = await library.login(person)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  async function ask(operation: ContractOperation, request: Ask, count = 1): Promise<number[]> {
    const person = request.as ?? 'admin'
    const isOfPage = operation.path.startsWith('/web/')
    const isOfLink = operation.path.startsWith('/s/')
    const headers = new Headers({
      ...(isOfPage && PAGE),
      ...(isOfLink && { 'X-Tagstead': '1' }),
      ...request.headers,
    })
    let media = 'unknown'
    if (person === 'former admin') headers.set('Authorization', `Bearer ${KEY}`)
    else if (isOfPage && person !== 'nobody') {
      const page = await signInToPage(library, person)
      media = page.media
      for (const [name, value] of Object.entries(page.jar.header(operation.path))) {
        headers.set(name, value)
      }
    } else if (person !== 'nobody') {
      const { access_token } = await signIn(person)
      headers.set('Authorization', `Bearer ${access_token}`)
    }
    const parameters: Record<string, string | number> = {
      file_id: IDS.file,
      tag_id: IDS.tag,
      then_tag_id: IDS.follower,
      category_id: IDS.category,
      pool_id: IDS.pool,
      upload_id: IDS.upload,
      object_type: 'file',
      object_id: IDS.file,
      media,
      share_id: IDS.share,
      token: LINKS.open,
      file: library.deps.shareKeys.fileId(
        { id: IDS.share, password_hash: null },
        ridOf(db, 'file', IDS.file),
      ),
      user_id: users.target,
      operation: lastOperation(db),
      key_id: db.get<{ id: number }>('SELECT max(id) AS id FROM api_keys')!.id,
      session_id: db.get<{ id: number }>('SELECT max(id) AS id FROM sessions')?.id ?? 0,
      ...request.path,
    }
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(parameters[name]))
    let body: string | FormData | Uint8Array<ArrayBuffer> | null = null
    if (request.file) body = form(request.file, 'a.jpg', request.fields)
    else if (request.body !== undefined) {
      if (!request.headers?.['Content-Type']) headers.set('Content-Type', 'application/json')
      const isBytes = request.body instanceof Uint8Array
      if (isBytes) body = Uint8Array.from(request.body as Uint8Array)
      else body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
    }
    const { method } = operation
    const send = async () => {
      const init = { method, headers, body }
      const response = await library.request(path + (request.query ?? ''), init)
      await response.arrayBuffer()
      return response.status
    }
    return Promise.all(Array.from({ length: count }, send))
  }

  return { library, image, users, reset, signIn, ask, close: library.close }
}
