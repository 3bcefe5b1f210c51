import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { acquireLock } from '../../../src/db/lock.ts'
import { emptyLog } from '../../../src/db/upkeep.ts'
import { checkUnknown } from '../../../src/keep/check/unknown.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import {
  assertFound,
  changePage,
  type Furnished,
  findingsOf,
  openFurnished,
  rootOf,
  withLockedDatabase,
} from '../../support/checking.ts'
import { blobOf } from '../../support/files.ts'
import { lacksCounters, pagesRead } from '../../support/pages-read.ts'
import { afterEach, beforeEach, describe, it } from '../../support/test.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const BLOB = 'ab00112233445566778899aabbccddee'

describe('a check of what nobody knows', () => {
  let furnished: Furnished
  let folder: ReturnType<typeof dataFolder>
  let held: { release(): void }[]
  const hold = (lock: string) => held.push(acquireLock(lock, ''))
  beforeEach(async () => {
    furnished = await openFurnished()
    folder = dataFolder(furnished.library.folder)
    held = []
    furnished.library.time.now = Date.now()
    store(BLOB)
  })
  afterEach(async () => {
    for (const lock of held) lock.release()
    await furnished.library.close()
  })
  const store = (blob: string) => {
    const shelf = join(folder.contents, blob.slice(0, 2))
    mkdirSync(shelf, { recursive: true })
    writeFileSync(join(shelf, blob), 'bytes')
  }
  const told = (repaired: boolean, subject = BLOB) => [
    { kind: 'content_unknown' as const, subject, repaired },
  ]
  const lost = (blob = BLOB) => join(folder.lostAndFound, blob)

  it('tells a content that no file has, and moves it when nothing is at work', async () => {
    const { library } = furnished
    await assertFound(library, told(false))
    assert.ok(existsSync(folder.content(BLOB)))
    await assertFound(library, told(true), { repair: true })
    assert.equal(readFileSync(lost(), 'utf8'), 'bytes')
    await assertFound(library, [])
  })

  it('overwrites nothing that was moved before', async () => {
    mkdirSync(folder.lostAndFound, { mode: 0o700 })
    writeFileSync(lost(), 'other bytes')
    await assertFound(furnished.library, told(true), { repair: true })
    assert.equal(readFileSync(lost(), 'utf8'), 'other bytes')
    assert.equal(readFileSync(lost(`${BLOB}.1`), 'utf8'), 'bytes')
  })

  it('hears between two shelves that it is to leave off', { skip: lacksCounters }, async () => {
    const { deps } = furnished.library
    for (let shelf = 0; shelf < 256; shelf++)
      store(`${shelf.toString(16).padStart(2, '0')}${BLOB.slice(2)}`)
    const { signal } = new AbortController()
    const all = { repair: false, signal }
    const whole = await pagesRead(deps.db, () => checkUnknown(deps, all, true))
    assert.equal(whole.result.length, 256)
    rmSync(folder.lostAndFound, { recursive: true })
    const stop = new AbortController()
    const asked = { repair: true, signal: stop.signal }
    setImmediate(() => stop.abort())
    const { pages } = await pagesRead(deps.db, () =>
      assert.rejects(checkUnknown(deps, asked, true), { name: 'AbortError' }),
    )
    assert.ok(pages < whole.pages / 10, `${pages} pages, and ${whole.pages} for all shelves`)
    assert.ok(!existsSync(folder.lostAndFound))
  })

  it('knows what waits to be removed, and what a file has', async () => {
    const { library, files } = furnished
    const { db } = library.deps
    const known = blobOf(db, files[0]!)
    db.run('INSERT INTO removals (blob) VALUES (?)', BLOB)
    await assertFound(library, [], { repair: true })
    assert.ok(existsSync(folder.content(BLOB)))
    assert.ok(existsSync(folder.content(known)))
    db.run('DELETE FROM removals')
    await assertFound(library, told(false))
  })

  it('tells what a kill has left of a content on its way to another disk, and moves it', async () => {
    const { library } = furnished
    store(`${BLOB}.part`)
    const part = (repaired: boolean) => {
      const subject = `files/${BLOB.slice(0, 2)}/${BLOB}.part`
      return { kind: 'leftover' as const, subject, repaired }
    }
    hold(folder.serverLock)
    await assertFound(library, [], { repair: true })
    library.time.now += HOUR + 1000
    await assertFound(library, [...told(false), part(false)], { repair: true })
    held.pop()!.release()
    await assertFound(library, [...told(true), part(true)], { repair: true })
    assert.equal(readFileSync(lost(`${BLOB}.part`), 'utf8'), 'bytes')
    await assertFound(library, [])
  })

  it('takes the files of other programs for no contents', async () => {
    for (const name of ['.DS_Store', 'Thumbs.db', 'cd00112233445566778899aabbccddee']) {
      writeFileSync(join(dirname(folder.content(BLOB)), name), '')
    }
    await assertFound(furnished.library, told(false))
  })

  for (const lock of ['serverLock', 'importLock'] as const) {
    it(`takes a young one for an upload under way while ${lock} is held`, async () => {
      hold(folder[lock])
      await assertFound(furnished.library, [], { repair: true })
      furnished.library.time.now += HOUR + 1000
      await assertFound(furnished.library, told(false))
    })

    it(`moves it only a day after it was found first while ${lock} is held`, async () => {
      const { library } = furnished
      hold(folder[lock])
      library.time.now += HOUR + 1000
      const [first] = await assertFound(library, told(false), { repair: true })
      assert.match(first!.sentence, /two checks that are a day apart$/)
      library.time.now += DAY - 1000
      await assertFound(library, told(false), { repair: true })
      assert.ok(existsSync(folder.content(BLOB)))
      library.time.now += 1000
      await assertFound(library, told(true), { repair: true })
      assert.equal(readFileSync(lost(), 'utf8'), 'bytes')
      await assertFound(library, [])
      assert.deepEqual(readdirSync(folder.lostAndFound).sort(), [BLOB, 'seen.json'])
    })
  }

  it('counts the day anew when a file had it in between', async () => {
    const { library } = furnished
    hold(folder.serverLock)
    library.time.now += HOUR + 1000
    await assertFound(library, told(false))
    rmSync(folder.content(BLOB))
    library.time.now += DAY
    await assertFound(library, [])
    store(BLOB)
    library.time.now += HOUR
    await assertFound(library, told(false), { repair: true })
  })

  it('moves nothing on the word of notes that are damaged', async () => {
    const { library } = furnished
    hold(folder.serverLock)
    library.time.now += HOUR + 1000
    mkdirSync(folder.lostAndFound, { mode: 0o700 })
    for (const text of ['', '[', 'null', '7', `{"${BLOB}":"x"}`, `{"${BLOB}":null}`]) {
      writeFileSync(join(folder.lostAndFound, 'seen.json'), text)
      await assertFound(library, told(false), { repair: true })
    }
  })

  it('asks again in the write that moves it, whether a file has it now', async () => {
    const { library, files } = furnished
    const { db } = library.deps
    const own = blobOf(db, files[0]!)
    // It is committed between the look and the write: the row is hidden until then.
    const hidden = 'ab'.padEnd(32, '0')
    db.run('UPDATE file_details SET blob = ? WHERE blob = ?', hidden, own)
    db.run('DELETE FROM removals')
    rmSync(folder.content(BLOB))
    // It is kept there before the write, and so are these, one after the other, in between.
    for (let n = 0; n < 90; n++) store(`ff${n.toString(16).padStart(30, '0')}`)
    const looking = findingsOf(library, { repair: true })
    while (!existsSync(lost(own))) await turn()
    db.run('UPDATE file_details SET blob = ? WHERE blob = ?', own, hidden)
    db.run('DELETE FROM removals')
    const found = (await looking).find(({ subject }) => subject === own)
    assert.equal(found!.repaired, false)
    assert.match(found!.sentence, /a file has it now$/)
    await assertFound(library, [])
  })

  it('tells why nothing is moved into a lost+found that it can not use, and goes on', async () => {
    const { library } = furnished
    symlinkSync(join(library.folder, 'nowhere', 'else'), folder.lostAndFound)
    const missing = blobOf(library.deps.db, furnished.files[0]!)
    rmSync(folder.content(missing))
    const lost = { kind: 'content_missing' as const, subject: missing, repaired: false }
    const found = await assertFound(library, [...told(false), lost], { repair: true })
    assert.match(found[0]!.sentence, /it is not moved: E[A-Z]+$/)
    assert.ok(existsSync(folder.content(BLOB)))
  })

  it('tells why nothing is moved when the database takes no write, and goes on', async () => {
    const { library } = furnished
    const missing = blobOf(library.deps.db, furnished.files[0]!)
    rmSync(folder.content(missing))
    const lost = { kind: 'content_missing' as const, subject: missing, repaired: false }
    const expected = [...told(false), lost]
    const found = await withLockedDatabase(library, () =>
      assertFound(library, expected, { repair: true }),
    )
    assert.match(found[0]!.sentence, /it is not moved: database is locked$/)
    assert.ok(existsSync(folder.content(BLOB)))
    assert.deepEqual(readdirSync(folder.lostAndFound), ['seen.json'])
  })

  it('moves nothing while the index of contents is damaged', async () => {
    const { library } = furnished
    const path = join(library.folder, 'tagstead.sqlite')
    const own = blobOf(library.deps.db, furnished.files[0]!)
    const place = rootOf(library.deps.db, 'file_details_blob')
    rmSync(folder.content(BLOB))
    emptyLog(library.deps.db)
    changePage(path, place, (page) => page.write('0000', page.lastIndexOf(own) + 20))
    await library.restart()
    const kinds = (await findingsOf(library)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['index_damaged', 'content_unknown'])
    await assertFound(
      library,
      [{ kind: 'index_damaged', subject: 'file_details_blob', repaired: true }],
      { repair: true },
    )
    assert.ok(existsSync(folder.content(own)))
    await assertFound(library, [])
  })

  it('moves nothing while the database lacks something', async () => {
    const { library } = furnished
    library.deps.db.run('DROP TABLE import_journal')
    const found = await findingsOf(library, { repair: true })
    const missing = ['import_journal', 'import_journal_file']
    assert.deepEqual(
      found.map(({ subject, repaired }) => [subject, repaired]),
      [...missing, BLOB].map((subject) => [subject, false]),
    )
    assert.match(found[2]!.sentence, /it is not moved: the database is not whole$/)
    assert.ok(existsSync(folder.content(BLOB)))
  })

  it('moves nothing while a file lacks the row that names its content', async () => {
    const { library } = furnished
    const { db } = library.deps
    const { blob } = db.get<{ blob: string }>('SELECT blob FROM file_details LIMIT 1')!
    db.run('DROP TRIGGER file_details_delete')
    db.run('DELETE FROM file_details WHERE blob = ?', blob)
    const found = await findingsOf(library, { repair: true })
    assert.ok(found.some(({ kind }) => kind === 'details_missing'))
    const unknown = found.find(({ subject }) => subject === blob)!
    assert.deepEqual([unknown.kind, unknown.repaired], ['content_unknown', false])
    assert.ok(existsSync(folder.content(blob)))
  })

  it('tells temporary files of processes that are gone', async () => {
    const { library } = furnished
    rmSync(folder.content(BLOB))
    const names = ['tmp/upload', 'tmp/decode/room', 'tmp-import/one', 'tmp-rescan/x']
    for (const name of [...names, 'secret.key.new']) {
      mkdirSync(dirname(join(library.folder, name)), { recursive: true })
      writeFileSync(join(library.folder, name), '')
    }
    const left = (subjects: string[]) =>
      subjects.map((subject) => ({ kind: 'leftover' as const, subject, repaired: false }))
    await assertFound(library, [])
    library.time.now += HOUR + 1000
    await assertFound(library, left([...names, 'secret.key.new']))
    hold(folder.serverLock)
    await assertFound(library, left([...names.slice(2), 'secret.key.new']), { repair: true })
    for (const name of names) assert.ok(existsSync(join(library.folder, name)))
  })
})
