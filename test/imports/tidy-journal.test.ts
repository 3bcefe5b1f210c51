import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { write } from '../../src/db/write.ts'
import { type FolderEntry, readFolder } from '../../src/imports/entries.ts'
import { type ImportFolder, openImportFolder } from '../../src/imports/folder.ts'
import { insertJournalRow } from '../../src/imports/queries.ts'
import { tidyJournal } from '../../src/imports/tidy-journal.ts'
import { picture } from '../support/harness.ts'
import { type Folders, openFolders } from '../support/import-folders.ts'
import { journalOf, putFile } from '../support/imports.ts'

const MANY = 1200

let on: Folders
let folder: ImportFolder
let entries: FolderEntry[]
before(async () => {
  on = await openFolders()
  await on.library.upload(on.admin, await picture(1))
  on.clear()
  putFile(on.base, 'there.jpg', 'x')
  folder = await openImportFolder(on.library.deps.config, undefined)
  entries = await readFolder(folder)
})
after(async () => {
  await folder.close()
  await on.close()
})
beforeEach(() => on.library.deps.db.run('DELETE FROM import_journal'))

/** Puts rows of so many sources into the journal, besides that of the one that is there. */
function fillJournal(nameOf: (n: number) => string): void {
  const { rid: file_rid } = on.library.deps.db.get<{ rid: number }>('SELECT rid FROM files')!
  write(on.library.deps.db, { now: 0 }, (tx) => {
    const paths = Array.from({ length: MANY }, (_, n) => nameOf(n))
    for (const path of [...paths, 'import/there.jpg']) {
      insertJournalRow(tx, { path, sha256: Buffer.alloc(32), file_rid })
    }
  })
}

const tidy = (isOver: () => boolean = () => false) =>
  tidyJournal(on.library.deps, folder, { entries, isOver })
const named = (prefix: string) =>
  journalOf(on.library).filter((path) => path.startsWith(prefix)).length

describe('tidying the journal', () => {
  it('forgets all that are gone, and none that are there or of other folders', async () => {
    fillJournal((n) => (n % 2 === 0 ? `import/${n}.jpg` : `import/away/${n}.jpg`))
    await tidy()
    assert.deepEqual([named('import/away/'), named('import/')], [MANY / 2, MANY / 2 + 1])
    assert.ok(journalOf(on.library).includes('import/there.jpg'))
  })

  it('gives all the names of today', async () => {
    fillJournal((n) => `away/${n}.jpg`)
    await tidy()
    assert.deepEqual([named('away/'), named('import/away/')], [0, MANY])
  })

  it('lets others have their turn, and ends when the import does', async () => {
    fillJournal((n) => `away/${n}.jpg`)
    let isEnded = false
    setImmediate(() => {
      isEnded = true
    })
    await tidy(() => isEnded)
    const done = named('import/away/')
    assert.ok(done > 0 && done < MANY, `${done}`)
    await tidy()
    assert.deepEqual([named('away/'), named('import/away/')], [0, MANY])
  })

  it('looks for no more sources when the import ends', async () => {
    fillJournal((n) => `import/${n}.jpg`)
    let looks = 0
    const looked: FolderEntry[] = entries.map((entry) => ({
      ...entry,
      folder: {
        ...entry.folder,
        look: (name) => {
          looks++
          return entry.folder.look(name)
        },
      },
    }))
    const isOver = () => looks === 3
    await tidyJournal(on.library.deps, folder, { entries: looked, isOver })
    assert.deepEqual([looks, named('import/')], [3, MANY + 1 - 3])
  })
})
