import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { addTag } from '../../support/files.ts'
import { type Answer, type Library, openLibrary } from '../../support/harness.ts'
import {
  carryOn,
  contentOf,
  countRows,
  makeFiles,
  operationOf,
} from '../../support/long-changes/portions.ts'

/** Of one portion; the write that begins a change does 250 rows, too. */
const ROWS = 100
/** How many portions a change has at least, after each of which it is killed. */
const PORTIONS = 10
const FILES = 250 + PORTIONS * ROWS

interface Case {
  /** Makes the library ready and returns the request that begins the change. */
  ready: (library: Library, token: string) => Promise<() => Promise<Answer>>
  /** By default `ROWS`. */
  rows?: number
  /** What the request is answered with while the change is left alone; by default 503. */
  status?: number
  /** How many rows are there at the end. */
  expected: Record<string, number>
}

async function twoTags(library: Library, token: string): Promise<[string, string]> {
  const [beach, sea] = [await addTag(library, token, 'beach'), await addTag(library, token, 'sea')]
  return [beach.id, sea.id]
}

/** Returns the id of a new pool of `FILES` files. */
async function fullPool(library: Library, token: string): Promise<string> {
  const { id } = (await library.call('POST', '/pools', { token, body: { name: 'trip' } })).body
  const file_ids = makeFiles(library, FILES, { owner: 1 })
  const added = await library.call('POST', `/pools/${id}/files`, { token, body: { file_ids } })
  assert.equal(added.status, 201)
  return id
}

const CASES: Record<string, Case> = {
  'a rule is applied': {
    async ready(library, token) {
      const [beach, then_tag_id] = await twoTags(library, token)
      makeFiles(library, FILES, { owner: 1, tags: [beach] })
      return () => library.call('POST', `/tags/${beach}/rules`, { token, body: { then_tag_id } })
    },
    expected: { file_tags: 2 * FILES, tag_rules: 1, file_tag_add: FILES, tag_rule_create: 1 },
  },
  'a tag is deleted': {
    async ready(library, token) {
      const tags = await twoTags(library, token)
      makeFiles(library, FILES, { owner: 1, tags })
      return () => library.call('DELETE', `/tags/${tags[0]}`, { token })
    },
    expected: { file_tags: FILES, tags: 1, tag_delete: 1 },
  },
  'a tag is merged into another one': {
    async ready(library, token) {
      const [beach, into] = await twoTags(library, token)
      const sun = await addTag(library, token, 'sun')
      const options = { token, body: { then_tag_id: sun.id } }
      await library.call('POST', `/tags/${beach}/rules`, options)
      makeFiles(library, FILES / 2, { owner: 1, tags: [beach] })
      makeFiles(library, FILES / 2, { owner: 1, tags: [beach, into] })
      return () => library.call('POST', `/tags/${beach}/merge`, { token, body: { into } })
    },
    expected: { file_tags: 2 * FILES, tags: 2, file_tag_replace: FILES, tag_merge: 1 },
  },
  'a merge is undone': {
    async ready(library, token) {
      const [beach, into] = await twoTags(library, token)
      makeFiles(library, 10_500, { owner: 1, tags: [beach] })
      const options = { token, body: { into } }
      const merged = await library.call('POST', `/tags/${beach}/merge`, options)
      const path = `/operations/${operationOf(merged)}/undo`
      return () => library.call('POST', path, { token })
    },
    rows: 2000,
    expected: { file_tags: 10_500, tags: 2, file_tag_replace: 21_000, operation_undo: 1 },
  },
  'a pool is deleted': {
    async ready(library, token) {
      const id = await fullPool(library, token)
      return () => library.call('DELETE', `/pools/${id}`, { token })
    },
    expected: { files: FILES, pools: 0, pool_files: 0, pool_delete: 1 },
  },
  'a deleted pool is filled again': {
    async ready(library, token) {
      const id = await fullPool(library, token)
      const deleted = await library.call('DELETE', `/pools/${id}`, { token })
      return () => library.call('POST', `/operations/${operationOf(deleted)}/undo`, { token })
    },
    // As of a tag.
    status: 200,
    expected: { pools: 1, pool_files: FILES, pool_create: 2, operation_undo: 1 },
  },
  'a user is deleted': {
    async ready(library, token) {
      const id = await library.addUser('Gone', { can_create: true })
      makeFiles(library, FILES - ROWS, { owner: id })
      const rights = "SELECT ?, 'file', rid, 1, 0 FROM files LIMIT ?"
      library.deps.db.run(
        `INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) ${rights}`,
        id,
        ROWS,
      )
      return () => library.call('DELETE', `/users/${id}`, { token })
    },
    expected: { files: FILES - ROWS, users: 1, acl: 0, user_delete: 1 },
  },
  'an operation is undone': {
    async ready(library, token) {
      const [beach, then_tag_id] = await twoTags(library, token)
      makeFiles(library, 10_500, { owner: 1, tags: [beach] })
      const options = { token, body: { then_tag_id } }
      const rule = await library.call('POST', `/tags/${beach}/rules`, options)
      return () => library.call('POST', `/operations/${operationOf(rule)}/undo`, { token })
    },
    rows: 1000,
    expected: { file_tags: 10_500, tag_rules: 0, file_tag_remove: 10_500, operation_undo: 1 },
  },
  'a deleted tag is put back': {
    async ready(library, token) {
      const tags = await twoTags(library, token)
      makeFiles(library, FILES, { owner: 1, tags })
      const deleted = await library.call('DELETE', `/tags/${tags[0]}`, { token })
      return () => library.call('POST', `/operations/${operationOf(deleted)}/undo`, { token })
    },
    // The undo itself is done; only its files come back later.
    status: 200,
    expected: { file_tags: 2 * FILES, tags: 2, tag_create: 3, operation_undo: 1 },
  },
}

/** Begins a change in a library that does no portion but the first, and returns its folder. */
async function begun({ ready, status = 503 }: Case): Promise<Library> {
  const library = await openLibrary()
  const { token } = await library.join('Root', { is_admin: true })
  const change = await ready(library, token)
  await library.deps.longChanges.stop()
  const answer = await change()
  assert.equal(answer.status, status, answer.text)
  assert.equal(countRows(library.deps.db, 'long_changes'), 1)
  return library
}

describe('the process is killed after each portion of a change while', () => {
  for (const [what, one] of Object.entries(CASES)) {
    // It starts more than ten processes.
    it(`${what}, which ends as it does without`, { timeout: 300_000 }, async () => {
      const library = await begun(one)
      const twin = mkdtempSync(join(tmpdir(), 'tagstead-twin-'))
      library.deps.db.run('VACUUM INTO ?', join(twin, 'tagstead.sqlite'))
      const options = { time: library.time.now, rows: one.rows ?? ROWS }
      try {
        assert.equal(await carryOn(twin, { ...options, toTheEnd: true }), null)
        let kills = 0
        while (await carryOn(library.folder, options)) kills++
        assert.ok(kills >= PORTIONS, `${kills} portions`)
        const untouched = openDatabase(join(twin, 'tagstead.sqlite'))
        const content = contentOf(library.deps.db)
        assert.deepEqual(content, contentOf(untouched))
        untouched.close()
        const found = {
          ...countsOf(content.audit_log as { action: string }[]),
          ...sizesOf(content),
        }
        for (const [name, rows] of Object.entries(one.expected))
          assert.equal(found[name], rows, name)
        assert.deepEqual(library.deps.db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
      } finally {
        rmSync(twin, { recursive: true })
        await library.close()
      }
    })
  }
})

function sizesOf(content: Record<string, unknown[]>): Record<string, number> {
  return Object.fromEntries(Object.entries(content).map(([table, rows]) => [table, rows.length]))
}

function countsOf(entries: { action: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { action } of entries) counts[action] = (counts[action] ?? 0) + 1
  return counts
}
