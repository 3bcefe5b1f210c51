import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { copyTo } from '../../../src/db/upkeep.ts'
import { copiedSource, restore } from '../../../src/keep/backup/restore.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { openStorage } from '../../../src/media/storage.ts'
import { openLibrary, picture } from '../../support/harness.ts'

/** Leads out of a folder of shelves, into the folder above the data folder. */
const OUTSIDE = '../../.profile'

describe('a backup that somebody else has made', () => {
  let folder: string
  /** The data folder; above it is a home. */
  let mine: string
  let database: string
  let contents: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-foreign-'))
    mine = join(folder, 'home', 'mine')
    contents = join(folder, 'they', 'theirs', 'files')
    database = join(folder, 'they', 'theirs', 'database')
    mkdirSync(mine, { recursive: true })
    mkdirSync(contents, { recursive: true })
    const library = await openLibrary()
    const { token } = await library.join('they', { can_create: true })
    await library.upload(token, await picture())
    copyTo(library.deps.db, database)
    cpSync(dataFolder(library.folder).contents, contents, { recursive: true })
    const [shelf] = readdirSync(contents).filter((name) => name.length === 2)
    const [name] = readdirSync(join(contents, shelf!))
    const bytes = readFileSync(join(contents, shelf!, name!))
    // Where the path of the content leads in their folder, so that it is found.
    writeFileSync(join(contents, '..', OUTSIDE), bytes)
    await library.close()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const change = (...statement: [sql: string, ...values: string[]]) => {
    const db = openDatabase(database, { journal: 'delete' })
    db.run(...statement)
    db.close()
  }
  const bring = () =>
    restore({ dataDir: mine, store: null }, copiedSource(database, contents), {
      signal: new AbortController().signal,
      isLacking: false,
      onProgress: () => {},
    })
  const pathsIn = (of: string) => readdirSync(of, { recursive: true }).sort()

  it('is restored as it is', async () => {
    const { missing, damaged, contents } = await bring()
    assert.deepEqual([missing, damaged, contents], [[], [], 1])
  })

  it('brings no uploads in parts, whose bytes are in no backup', async () => {
    change(
      "INSERT INTO uploads (id, user_id, size, until, fields) VALUES (randomblob(16), 1, 5, 0, '{}')",
    )
    await bring()
    const db = openDatabase(dataFolder(mine).database)
    assert.deepEqual(db.all('SELECT * FROM uploads'), [])
    db.close()
  })

  const changes: Record<string, [sql: string, ...values: string[]]> = {
    'a content of a file': ['UPDATE file_details SET blob = ?', OUTSIDE],
    'a content with an absolute path': ['UPDATE file_details SET blob = ?', '/etc/passwd'],
    'a content that is to be removed': ['INSERT INTO removals (blob) VALUES (?)', OUTSIDE],
    'a damaged content': ["INSERT INTO damages VALUES (?, 'missing', 0)", OUTSIDE],
    'a type that would be shown as a page': ["UPDATE files SET mime_type = 'text/html'"],
    'an extension that leads elsewhere': ["UPDATE files SET mime_extension = '/../x'"],
  }
  for (const [what, statement] of Object.entries(changes)) {
    it(`writes nothing when it names ${what}`, async () => {
      change(...statement)
      await assert.rejects(bring(), /^Error: The database is none that Tagstead has written: /)
      assert.deepEqual(pathsIn(join(folder, 'home')), ['mine', 'mine/lock'])
    })
  }

  it('gets no path outside the data folder from what is open already', async () => {
    const { content, derivative } = dataFolder(mine)
    for (const name of [OUTSIDE, '', '.', '..', `../${'a'.repeat(29)}`, `${'a'.repeat(32)}\n`]) {
      assert.throws(() => content(name), /is not the name of a content/)
      assert.throws(() => derivative('thumbnail', name), /is not the name of a content/)
    }
    const storage = await openStorage(mine)
    writeFileSync(join(mine, 'kept.txt'), 'kept')
    await assert.rejects(storage.removeBlob('../../kept.txt'), /is not the name of a content/)
    await assert.rejects(storage.stream('../../kept.txt'), /is not the name of a content/)
    await storage.close()
    assert.equal(readFileSync(join(mine, 'kept.txt'), 'utf8'), 'kept')
  })
})
