import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../src/db/client.ts'
import { contentsOf } from './contents.ts'
import type { Answer, Library } from './harness.ts'

/** Returns how much of everything the library has, to see that an error left nothing behind. */
export function inventory(library: Library) {
  const { deps, folder } = library
  const count = (sql: string) => deps.db.get<{ n: number }>(sql)!.n
  return {
    files: count('SELECT count(*) AS n FROM files'),
    entries: count('SELECT count(*) AS n FROM audit_log'),
    blobs: contentsOf(library).list().length,
    thumbnails: storedFiles(join(folder, 'thumbnails')),
    temporary: storedFiles(join(folder, 'tmp')),
  }
}

function storedFiles(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

/** Asserts an error of the API: its status, its code and the fields in its details. */
export function assertError(answer: Answer, status: number, code: string, fields?: string[]) {
  const found = answer.body.details?.map((detail: { field: string }) => detail.field)
  assert.deepEqual(
    { status: answer.status, code: answer.body.code, fields: found },
    { status, code, fields },
  )
  assert.equal(typeof answer.body.message, 'string')
}

/** Returns under which name the content of a file is stored. */
export function blobOf(db: Db, id: string): string {
  return db.get<{ blob: string }>(
    'SELECT blob FROM file_details JOIN files ON rid = file_rid WHERE id = unhex(?)',
    id.replaceAll('-', ''),
  )!.blob
}

/** Makes a tag and returns it. */
export async function addTag(library: Library, token: string, name: string, fields: object = {}) {
  const answer = await library.call('POST', '/tags', { token, body: { name, ...fields } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Lets a user view, or edit, an object. */
export function grant(
  { deps }: Library,
  user_id: number,
  type: 'file' | 'tag' | 'category',
  id: string,
  right: 'view' | 'edit' = 'view',
): void {
  const table = { file: 'files', tag: 'tags', category: 'categories' }[type]
  deps.db.run(
    `INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit)
     SELECT ?, ?, rid, 1, ? FROM ${table} WHERE lower(hex(id)) = ?`,
    user_id,
    type,
    right === 'edit' ? 1 : 0,
    id.replaceAll('-', ''),
  )
}
