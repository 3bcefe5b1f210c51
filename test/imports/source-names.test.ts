import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { contentsOf } from '../support/contents.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import {
  expectedEvents,
  journalOf,
  leaveSource,
  namesIn,
  putFile,
  runImport,
} from '../support/imports.ts'

let library: Library
let token: string
/** In the data folder, and two elsewhere. */
let own: string
let first: string
let second: string
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'tagstead-import-')))
before(async () => {
  library = await openLibrary()
  ;({ token } = await library.join('ada', { is_admin: true }))
  own = join(library.folder, 'import')
  first = join(elsewhere, 'first')
  second = join(elsewhere, 'second')
})
after(async () => {
  rmSync(elsewhere, { recursive: true })
  await library.close()
})
beforeEach(() => {
  for (const folder of [own, first, second]) mkdirSync(join(folder, 'inner'), { recursive: true })
  importFrom(own)
})
afterEach(() => {
  for (const folder of [own, first, second]) rmSync(folder, { recursive: true })
  library.deps.db.run('DELETE FROM import_journal')
})

let seed = 0
const importFrom = (importPath: string) => Object.assign(library.deps.config, { importPath })
const leave = async (path: string, known: string, bytes?: Uint8Array) =>
  leaveSource(library, token, { path, known, bytes: bytes ?? (await picture(seed++)) })
/** Imports a source of the inner folder that stays there. */
async function importLeaving(path: string, bytes: Uint8Array) {
  putFile(dirname(path), basename(path), bytes)
  const events = await runImport(library, token, 'inner', { leave_sources: true })
  assert.deepEqual(events, imported(basename(path)))
}
const run = (path?: string) => runImport(library, token, path)
const imported = (name: string) => expectedEvents([[name, 'imported']])
const known = (name: string) => expectedEvents([[name, 'skipped', 'already imported']])
/** The events of an import of a folder that has only the one in it. */
const none = expectedEvents([['inner', 'skipped', 'a folder']])
/** What an import tells of the files beside that folder. */
const outcomes = async () =>
  (await run())
    .filter(({ type, filename }) => type === 'file' && filename !== 'inner')
    .map(({ filename, reason }) => [filename, reason])

describe('a source', () => {
  it('in the data folder is known when the library has moved', async () => {
    const bytes = await picture(seed++)
    rmSync(join(own, 'inner'), { recursive: true })
    await leave(join(own, 'moved.jpg'), 'import/moved.jpg', bytes)
    library.deps.db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    const database = join(library.folder, 'tagstead.sqlite')
    const moved = await openLibrary({}, {}, {}, database)
    const [contents, copies] = [contentsOf(library), contentsOf(moved)]
    for (const blob of contents.list()) copies.write(blob, contents.read(blob))
    const folder = join(moved.folder, 'import')
    mkdirSync(folder)
    putFile(folder, 'moved.jpg', bytes)
    const { access_token } = await moved.signIn('ada')
    assert.deepEqual(await runImport(moved, access_token), known('moved.jpg'))
    assert.deepEqual([namesIn(folder), journalOf(moved)], [[], []])
    await moved.close()
  })

  it('elsewhere is not taken for the one of another folder with the same name', async () => {
    const bytes = await picture(seed++)
    const inner = join(first, 'inner')
    importFrom(first)
    await importLeaving(join(inner, 'same.jpg'), bytes)
    for (const folder of [own, second]) {
      putFile(join(folder, 'inner'), 'same.jpg', bytes)
      importFrom(folder)
      assert.deepEqual(await run('inner'), imported('same.jpg'))
    }
    assert.deepEqual(journalOf(library), [join(inner, 'same.jpg')])
    importFrom(first)
    assert.deepEqual(await run('inner'), known('same.jpg'))
    assert.deepEqual([namesIn(inner), journalOf(library)], [[], []])
  })

  it('that is gone is forgotten by an import of its very folder', async () => {
    const gone = ['import/gone.jpg', 'import/inner/gone.jpg', join(first, 'gone.jpg')]
    for (const name of gone) {
      const path = join(library.folder, name)
      await leave(name.startsWith('/') ? name : path, name)
      rmSync(name.startsWith('/') ? name : path)
    }
    for (const folder of [second, own, first]) {
      importFrom(folder)
      assert.deepEqual(await run(), none)
      if (folder === second) assert.deepEqual(journalOf(library), gone.toSorted())
      if (folder === own) assert.deepEqual(journalOf(library), [gone[2], gone[1]])
    }
    assert.deepEqual(journalOf(library), [gone[1]])
  })

  it('is named by where it is, whatever links lead there', async () => {
    const link = join(library.folder, 'link')
    symlinkSync(first, link)
    await leave(join(first, 'linked.jpg'), join(first, 'linked.jpg'))
    importFrom(link)
    assert.deepEqual(await outcomes(), [['linked.jpg', 'already imported']])
    rmSync(link)
  })
})

describe('a name that an older version gave', () => {
  const OLDER: Record<string, (base: string, name: string) => string> = {
    'an absolute path': (base, name) => join(base, name),
    'a path below the import folder': (_, name) => name,
  }
  for (const [what, older] of Object.entries(OLDER)) {
    for (const where of ['in the data folder', 'elsewhere']) {
      it(`as ${what} ${where} is known`, async () => {
        const base = where === 'elsewhere' ? first : own
        importFrom(base)
        for (const name of ['a.jpg', 'inner/b.jpg'])
          await leave(join(base, name), older(base, name))
        const names = journalOf(library)
        const looked = await runImport(library, token, undefined, {
          dry_run: true,
          recursive: true,
        })
        assert.deepEqual(
          looked.slice(1, -1).map(({ filename, reason }) => [filename, reason]),
          [
            ['a.jpg', 'already imported'],
            ['inner/b.jpg', 'already imported'],
          ],
        )
        assert.deepEqual(journalOf(library), names)
        assert.deepEqual(await run('inner'), known('b.jpg'))
        assert.deepEqual(await outcomes(), [['a.jpg', 'already imported']])
        assert.deepEqual(journalOf(library), [])
      })
    }
  }

  it('is replaced by the present one, all of them or none', async () => {
    const names = ['a', 'b', 'c', 'x\u2028"\'', 'y'].map((name) => `inner/${name}.jpg`)
    for (const [index, name] of names.entries()) {
      const path = join(own, name)
      await leave(path, index % 2 === 0 ? name : path)
    }
    // The newer name of the same source.
    await leave(join(own, names[0]!), join('import', names[0]!))
    const { db } = library.deps
    const before = journalOf(library)
    db.run(`CREATE TEMP TRIGGER fails BEFORE DELETE ON import_journal
      WHEN old.path LIKE '%y.jpg' BEGIN SELECT raise(ABORT, 'no'); END`)
    await run()
    assert.deepEqual(journalOf(library), before)
    db.run('DROP TRIGGER fails')
    assert.deepEqual(await run(), none)
    assert.deepEqual(
      journalOf(library),
      names.map((name) => join('import', name)),
    )
    for (const { reason } of (await run('inner')).filter(({ type }) => type === 'file')) {
      assert.equal(reason, 'already imported')
    }
  })

  it('of the folder for imports is not taken for one of a folder of that name', async () => {
    mkdirSync(join(first, 'import'))
    await leave(join(own, 'here.jpg'), 'import/here.jpg')
    importFrom(first)
    await run()
    assert.deepEqual(journalOf(library), ['import/here.jpg'])
    importFrom(own)
    assert.deepEqual(await outcomes(), [['here.jpg', 'already imported']])
  })
})
