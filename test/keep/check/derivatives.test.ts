import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { DERIVATIVES, dataFolder } from '../../../src/media/data-folder.ts'
import { assertFound, type Furnished, openFurnished } from '../../support/checking.ts'

const HOUR = 60 * 60_000
const BLOB = 'ab00112233445566778899aabbccddee'
const NAMES = ['full', 'previews', 'thumbnails', 'thumbnails640']

describe('a check of the pictures that are made from contents', () => {
  let furnished: Furnished
  let folder: ReturnType<typeof dataFolder>
  const paths = () => DERIVATIVES.map((kind) => folder.derivative(kind, BLOB))
  beforeEach(async () => {
    furnished = await openFurnished()
    folder = dataFolder(furnished.library.folder)
    for (const path of paths()) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '')
    }
    furnished.library.time.now = Date.now() + HOUR + 1000
  })
  afterEach(() => furnished.library.close())
  const told = (repaired: boolean) =>
    NAMES.map((subject) => ({ kind: 'derivative_unknown' as const, subject, repaired }))
  const thumbnails = () =>
    readdirSync(folder.derivatives.thumbnail, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.jpg') && !name.includes(BLOB))
      .sort()

  it('tells those of contents that no file has, and removes them', async () => {
    const { library } = furnished
    const known = thumbnails()
    assert.equal(known.length, 6)
    await assertFound(library, told(false))
    assert.ok(paths().every(existsSync))
    await assertFound(library, told(true), { repair: true })
    assert.ok(!paths().some(existsSync))
    assert.deepEqual(thumbnails(), known)
    await assertFound(library, [])
  })

  it('leaves young ones, those that are about to go, and a quick check to itself', async () => {
    const { library } = furnished
    await assertFound(library, [], { read: 'none', repair: true })
    library.time.now -= HOUR
    await assertFound(library, [], { repair: true })
    library.time.now += HOUR
    library.deps.db.run('INSERT INTO removals (blob) VALUES (?)', BLOB)
    await assertFound(library, [], { repair: true })
    assert.ok(paths().every(existsSync))
  })

  it('removes none while the database lacks something', async () => {
    const { library } = furnished
    library.deps.db.run('DROP TABLE import_journal')
    const missing = ['import_journal', 'import_journal_file'].map((subject) => ({
      kind: 'schema_missing' as const,
      subject,
      repaired: false,
    }))
    await assertFound(library, [...missing, ...told(false)], { repair: true })
    assert.ok(paths().every(existsSync))
  })
})
