import assert from 'node:assert/strict'
import { idAt } from '../file-rows.ts'
import { openLibrary } from '../harness.ts'
import { insertPool, insertTag } from '../object-rows.ts'
import { rescanAll } from './clusters.ts'
import { everything } from './everything.ts'
import { addPictures, type MadeFile } from './pictures.ts'

const TABLES = ['files', 'tags', 'pools', 'duplicate_scans', 'audit_log']

/** What is proposed, or settled. */
export type Item = { keep: string; discard: string[] }

export type Proposals = Awaited<ReturnType<typeof openProposals>>

/** Opens a library in which Ann, Ben, Cat and an admin are proposed, and settle, what is alike. */
export async function openProposals() {
  const library = await openLibrary()
  const { db } = library.deps
  const ann = await library.join('ann')
  const ben = await library.join('ben')
  const cat = await library.join('cat')
  const root = await library.join('root', { is_admin: true })
  let objects = 0
  const newId = () => idAt(1.7e12, ++objects)

  const list = async (query = '', { token } = ann) =>
    (await library.call('GET', `/files/duplicates/proposals${query}`, { token })).body
  const settle = (items: Item[], { token } = ann) =>
    library.call('POST', '/files/duplicates/proposals/settle', { token, body: { items } })

  return {
    library,
    ann,
    ben,
    cat,
    root,
    close: library.close,
    /** Takes out all that a test has made. */
    clear: () => {
      for (const table of TABLES) db.run(`DELETE FROM ${table}`)
    },
    /** Everything that settling may change. */
    everything: () => everything(db),
    /** Adds files of Ann's, or of another owner, and returns their ids. */
    add: (made: MadeFile[], owner = ann.id) => addPictures(db, owner, made),
    /** Finds what is alike. */
    rescan: () => rescanAll(library),
    /** Makes a tag that its owner alone sees, unless it is public, and returns its id. */
    tag: (name: string, owner = ann.id, isPublic = false) => {
      const id = newId()
      insertTag(db, { id, name, owner, isPublic })
      return id
    },
    /** Makes a pool that its owner alone sees, unless it is public, and returns its id. */
    pool: (name: string, files: string[], owner = ann.id, isPublic = false) => {
      const id = newId()
      insertPool(db, { id, name, owner, isPublic, files })
      return id
    },
    list,
    /** What is proposed, without what the kept files gain. */
    proposed: async (query?: string, who = ann) =>
      (await list(query, who)).items.map(({ why, keep, discard }: Item & { why: string }) => [
        why,
        keep,
        discard,
      ]),
    dismiss: async (a: string, b: string) => {
      const body = { file_id_a: a, file_id_b: b }
      const { status } = await library.call('POST', '/files/duplicates/dismiss', { ...ann, body })
      assert.equal(status, 204)
    },
    settle,
    /** Settles, which succeeds, and returns what is told. */
    settled: async (items: Item[], who = ann) => {
      const { status, body, headers } = await settle(items, who)
      assert.equal(status, 200)
      assert.equal(
        headers.get('Operation'),
        body.operation === null ? null : String(body.operation),
      )
      return body
    },
    undo: async (operation: number, who = ann) =>
      (await library.call('POST', `/operations/${operation}/undo`, who)).body,
  }
}
