import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sha256 } from '../support/backups.ts'
import { findingsOf } from '../support/checking.ts'
import { openLibrary } from '../support/harness.ts'
import { temporaryFolder } from '../support/media/media.ts'

const FOLDER = 'test/releases'
const releases = readdirSync(FOLDER).filter((name) => name.endsWith('.tar.gz'))

describe('the libraries of earlier releases', () => {
  it('are there, and small', () => {
    assert.ok(releases.includes('3.0.0.tar.gz'))
    for (const name of releases) assert.ok(statSync(join(FOLDER, name)).size <= 200 * 1024, name)
  })

  for (const name of releases) {
    it(`are migrated, from ${name} on, and hold what they held`, async () => {
      const { path, remove } = await temporaryFolder()
      execFileSync('tar', ['-xzf', join(FOLDER, name), '-C', path])
      const library = await openLibrary({}, {}, {}, join(path, 'tagstead.sqlite'))
      try {
        execFileSync('cp', ['-r', join(path, 'files'), library.folder])
        const { access_token: token } = await library.signIn('Ann')
        const lists = JSON.parse(readFileSync(join(path, 'lists.json'), 'utf8'))
        for (const [asked, told] of Object.entries(lists)) {
          const { status, body } = await library.call('GET', asked, { token })
          assert.equal(status, 200, asked)
          assertHolds(body, told, asked)
        }
        const { items } = lists['/files?limit=200']
        assert.equal(items.length, 99)
        for (const { id } of items) {
          const content = await library.fetchRaw('GET', `/files/${id}/content`, { token })
          const bytes = new Uint8Array(await content.arrayBuffer())
          const row = library.deps.db.get<{ sha256: Uint8Array }>(
            'SELECT sha256 FROM file_details JOIN files ON rid = file_rid WHERE id = unhex(?)',
            id.replaceAll('-', ''),
          )!
          assert.equal(sha256(bytes), Buffer.from(row.sha256).toString('hex'))
        }
        const found = await findingsOf(library)
        // Whoever runs the tests may have another umask than a server.
        assert.deepEqual(
          found.filter(({ kind }) => kind !== 'file_mode'),
          [],
        )
      } finally {
        await library.close()
        await remove()
      }
    })
  }
})

/** Asserts that a value has everything that another has; a later version may tell more. */
function assertHolds(value: unknown, told: unknown, where: string): void {
  if (typeof told !== 'object' || told === null) assert.deepEqual(value, told, where)
  else {
    if (Array.isArray(told)) assert.equal((value as unknown[])?.length, told.length, where)
    for (const [key, one] of Object.entries(told)) {
      assertHolds((value as Record<string, unknown>)?.[key], one, `${where} ${key}`)
    }
  }
}
