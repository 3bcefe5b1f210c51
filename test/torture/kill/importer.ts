import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../../src/db/client.ts'
import type { ImportEvent } from '../../../src/imports/schema.ts'
import { picture } from '../../support/harness.ts'
import { digestOf, putFile, sha256 } from '../../support/imports.ts'
import type { Call } from '../worlds/steps.ts'

/** Somebody who puts files into the import folder, and imports them over HTTP. */
export interface Importer {
  /** Digests of what was put there, by names. */
  all: Map<string, string>
  /** Names of those of which the server said that they are imported. */
  acknowledged: Set<string>
  add(count: number): Promise<void>
  /**
   * Imports once; resolves at the end, or when the server is gone, with whether all files were imported. Throws when one
   * can't be, unless `mayFail`.
   */
  run(call: Call, mayFail?: boolean): Promise<boolean>
  /** Throws when a file is neither in the library nor in the folder, or not where it has to be. */
  check(db: Db): void
  left(): string[]
  /** Forgets those that were acknowledged, before they are deleted for good, and returns their names. */
  forget(): string[]
}

/** Returns one that numbers its files from `first` on. */
export function createImporter(dataDir: string, first = 0): Importer {
  const folder = join(dataDir, 'import')
  mkdirSync(folder, { recursive: true })
  let next = first
  const importer: Importer = {
    all: new Map(),
    acknowledged: new Set(),
    async add(count) {
      for (const end = next + count; next < end; next++) {
        const name = `import-${String(next).padStart(6, '0')}.jpg`
        const bytes = Buffer.concat([await picture(next), Buffer.from(name)])
        putFile(folder, name, bytes, next)
        importer.all.set(name, sha256(bytes))
      }
    },
    async run(call, mayFail = false) {
      let areAll = true
      try {
        const response = await call('POST', '/files/import')
        // Another one may not be over yet.
        const isRefused = response.status === 409 || (mayFail && response.status >= 500)
        if (isRefused) {
          await response.text()
          return false
        }
        assert.equal(response.status, 200)
        let rest = ''
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          const lines = (rest + Buffer.from(chunk).toString()).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) if (!note(importer, JSON.parse(line), mayFail)) areAll = false
        }
        return areAll
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        return false
      }
    },
    check(db) {
      const rows = db.all<{ name: string; sha256: Uint8Array }>(
        `SELECT original_name AS name, sha256 FROM files JOIN file_details ON file_rid = rid
         WHERE original_name LIKE 'import-%'`,
      )
      const stored = new Map<string, string>()
      for (const row of rows) {
        assert.ok(!stored.has(row.name), `${row.name} was imported twice`)
        stored.set(row.name, Buffer.from(row.sha256).toString('hex'))
      }
      for (const [name, digest] of importer.all) {
        const source = join(folder, name)
        if (stored.has(name)) assert.equal(stored.get(name), digest, name)
        else {
          assert.ok(!importer.acknowledged.has(name), `${name} was imported and is not there`)
          assert.ok(existsSync(source), `${name} is nowhere`)
          assert.equal(digestOf(source), digest, name)
        }
      }
    },
    left: () => readdirSync(folder),
    forget() {
      const names = [...importer.acknowledged]
      for (const name of names) importer.all.delete(name)
      importer.acknowledged.clear()
      return names
    },
  }
  return importer
}

/** Returns whether an event tells nothing of a failure; throws for one that does, unless `mayFail`. */
function note(importer: Importer, event: ImportEvent, mayFail: boolean): boolean {
  const isFile = event.type === 'file'
  const isThere = event.status === 'imported' || event.reason === 'already imported'
  if (isFile && isThere) importer.acknowledged.add(event.filename!)
  const isGood = isFile ? isThere : event.type !== 'error'
  assert.ok(isGood || mayFail, JSON.stringify(event))
  return isGood
}
