import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { contentsOf } from '../../support/contents.ts'
import { picture } from '../../support/harness.ts'
import { type Folders, openFolders } from '../../support/import-folders.ts'
import { journalOf, namesIn, putFile, runImport } from '../../support/imports.ts'
import { SEED } from '../../support/property.ts'
import { ALL_LANGUAGES, putTree, putZips, type Takeout, takeoutOf } from '../../support/takeout.ts'
import { importedFrom } from '../../support/takeout-imported.ts'
import { zipOf } from '../../support/written-zip.ts'
import { xmpText } from '../../support/xmp-text.ts'

let on: Folders
before(async () => {
  on = await openFolders()
})
after(() => on.close())
beforeEach(() => on.clear())

const ALL = { recursive: true, favorites: true, archived: true }
const run = async (options: Parameters<typeof runImport>[3] = ALL) => {
  const events = await runImport(on.library, on.admin, undefined, options)
  assert.deepEqual(
    events.filter(({ type, status }) => type === 'error' || status === 'error'),
    [],
  )
  return events
}
const imported = () => importedFrom(on.library.deps.db)
/** What the library has of an export; every test has contents of its own. */
function assertAll({ expected }: Takeout, found = imported()): void {
  for (const [digest, one] of expected) assert.deepEqual(found.get(digest), [one])
}

describe('an import of a whole Google Takeout', () => {
  for (const [n, language] of ALL_LANGUAGES.entries()) {
    it(`in ${language}, unpacked, has all pictures, their dates and albums`, async () => {
      const takeout = await takeoutOf(SEED + n, 60, { language, isOld: n % 2 === 1 })
      putTree(on.base, takeout)
      const total = imported().size
      await run()
      assertAll(takeout)
      assert.equal(imported().size, total + takeout.expected.size)
    })
  }

  it('in ZIPs is the same, and comes no second time', async () => {
    const takeout = await takeoutOf(SEED + 10, 80)
    putZips(on.base, takeout)
    await run()
    assertAll(takeout)
    const [before, zips] = [imported(), namesIn(on.base)]
    const events = await run()
    assert.equal(events.at(-1)!.imported, 0)
    assert.deepEqual([imported(), namesIn(on.base)], [before, zips])
    // Without a journal, as after another way to bring the same in.
    on.library.deps.db.run('DELETE FROM import_journal')
    await run()
    assert.deepEqual(imported(), before)
  })

  it('leaves nothing of what it has taken in the folder but what describes it', async () => {
    const takeout = await takeoutOf(SEED + 11, 100)
    putTree(on.base, takeout)
    await run()
    const left = (await run({ ...ALL, dry_run: true })).filter(({ type }) => type === 'file')
    // Of a hundred, some are in the trash.
    const trashed = left.filter(({ filename }) => !filename!.endsWith('.json'))
    assert.ok(trashed.length > 0)
    assert.deepEqual([...new Set(trashed.map(({ reason }) => reason))], ['in the trash there'])
    assertAll(takeout)
    assert.deepEqual(
      journalOf(on.library).filter((path) => path.startsWith('import/Takeout')),
      [],
    )
  })
})

const sidecar = (more: object = {}) =>
  JSON.stringify({ title: 'a.jpg', photoTakenTime: { timestamp: '1500000000' }, ...more })
const putIn = (path: string, files: Record<string, Uint8Array | string>) => {
  mkdirSync(join(on.base, path), { recursive: true })
  for (const [name, bytes] of Object.entries(files)) putFile(join(on.base, path), name, bytes)
}
const outcomes = async (options: Parameters<typeof runImport>[3] = ALL) =>
  Object.fromEntries(
    (await run(options))
      .filter(({ type }) => type === 'file')
      .map(({ filename, status, reason }) => [filename, reason ? `${status}: ${reason}` : status]),
  )
const poolsOf = () =>
  on.library.deps.db
    .all<{ name: string; files: number }>(
      'SELECT name, (SELECT count(*) FROM pool_files WHERE pool_rid = pools.rid) AS files ' +
        'FROM pools WHERE is_deleted = 0 ORDER BY pools.rid DESC LIMIT 1',
    )
    .map(({ name, files }) => `${name}: ${files}`)

describe('what an export says', () => {
  it('goes by the wish for partners, favourites and what is archived', async () => {
    putIn('T/Photos from 2017', {
      'a.jpg': await picture(101),
      'a.jpg.json': sidecar({ googlePhotosOrigin: { fromPartnerSharing: {} } }),
      'b.jpg': await picture(102),
      'b.jpg.json': sidecar({ favorited: true, archived: true }),
    })
    const to = 'T/Photos from 2017'
    for (const dry_run of [true, false]) {
      assert.deepEqual(await outcomes({ recursive: true, partners: false, dry_run }), {
        [`${to}/a.jpg`]: 'skipped: of a partner there',
        [`${to}/a.jpg.json`]: 'skipped: sidecar',
        [`${to}/b.jpg`]: 'imported',
        [`${to}/b.jpg.json`]: 'skipped: sidecar',
      })
    }
    const { db } = on.library.deps
    const last = 'SELECT max(rid) FROM files'
    const favourites = db.all(`SELECT 1 FROM favourites WHERE file_rid = (${last})`)
    assert.deepEqual(favourites, [])
    assert.deepEqual(db.all(`SELECT 1 FROM file_tags WHERE file_rid = (${last})`), [])
  })

  it('is nothing in a folder where no service wrote the files beside pictures', async () => {
    putIn('manga/one', {
      'a.jpg': await picture(103),
      'a.jpg.json': JSON.stringify({ title: 'x', trashed: true }),
      'metadata.json': JSON.stringify({ title: 'No album' }),
      'b.jpg': await picture(103),
    })
    const unsupported = 'skipped: The file is not a picture or video of a known type'
    assert.deepEqual(await outcomes(), {
      'manga/one/a.jpg': 'imported',
      'manga/one/a.jpg.json': unsupported,
      'manga/one/b.jpg': 'imported',
      'manga/one/metadata.json': unsupported,
    })
  })

  it('is found across parts that were unpacked side by side, and one pool is made of an album', async () => {
    const SET = 'takeout-20240102T030405Z'
    putIn(`${SET}-001/Takeout/Google Photos/Rome`, {
      'a.jpg': await picture(104),
      'metadata.json': JSON.stringify({ title: 'Rome, at last' }),
    })
    putIn(`${SET}-002/Takeout/Google Photos/Rome`, {
      'a.jpg.supplemental-metadata.json': sidecar(),
      'b.jpg': await picture(105),
      'b.jpg.supplemental-metadata.json': sidecar(),
    })
    await run()
    assert.deepEqual(poolsOf(), ['Rome, at last: 2'])
    const { content_datetime } = on.library.deps.db.get<{ content_datetime: number }>(
      'SELECT content_datetime FROM files ORDER BY rid DESC LIMIT 1',
    )!
    assert.equal(content_datetime, 1_500_000_000_000)
    putIn(`${SET}-002/Takeout/Google Photos/Rome`, {
      'c.jpg': await picture(106),
      'c.jpg.supplemental-metadata.json': sidecar(),
    })
    await run()
    assert.deepEqual(poolsOf(), ['Rome, at last: 3'])
  })

  it('comes from Ente as well', async () => {
    const written = JSON.stringify({ title: 'a.jpg', creationTime: { timestamp: 1400000000 } })
    putIn('Ente Photos/Summer', { 'a.jpg': await picture(107) })
    putIn('Ente Photos/Summer/metadata', { 'a.jpg.json': written })
    putIn('Ente Photos/Trash/Summer', { 'b.jpg': await picture(109) })
    putIn('Ente Photos/Trash/Summer/metadata', { 'b.jpg.json': written })
    assert.deepEqual(await outcomes(), {
      'Ente Photos/Summer/a.jpg': 'imported',
      'Ente Photos/Summer/metadata/a.jpg.json': 'skipped: sidecar',
      'Ente Photos/Trash/Summer/b.jpg': 'skipped: in the trash there',
      'Ente Photos/Trash/Summer/metadata/b.jpg.json': 'skipped: sidecar',
    })
    assert.deepEqual(poolsOf(), ['Summer: 1'])
  })

  it('puts what the owner has into the album, and is an error where all must be new', async () => {
    const content = await picture(108)
    await on.library.upload(on.admin, content)
    const zip = [
      { name: 'Takeout/Google Photos/Sea/a.jpg', bytes: content },
      { name: 'Takeout/Google Photos/Sea/a.jpg.json', bytes: sidecar() },
      { name: 'Takeout/Google Photos/Sea/metadata.json', bytes: JSON.stringify({ title: 'Sea' }) },
    ]
    putFile(on.base, 'takeout-20250102T030405Z-001.zip', zipOf(zip))
    const events = await runImport(on.library, on.admin, undefined, {
      ...ALL,
      on_duplicate: 'conflict',
    })
    assert.equal(events.at(-1)!.errors, 1)
    const body = ALL
    const { text } = await on.library.call('POST', '/files/import', { token: on.admin, body })
    const [, file, , , done] = text.split('\n').map((line) => line && JSON.parse(line))
    assert.deepEqual([file.status, file.reason], ['skipped', 'already here'])
    assert.deepEqual([done.imported, typeof done.operation], [0, 'number'])
    assert.deepEqual(poolsOf(), ['Sea: 1'])
  })

  it('puts back no tag that a person took off, for a picture in its year and in an album', async () => {
    const content = await picture(110)
    const said = sidecar({ people: [{ name: 'Anna' }, { name: 'Bert' }] })
    const zip = ['Photos from 2017', 'Lake'].flatMap((folder) => [
      { name: `Takeout/Google Photos/${folder}/a.jpg`, bytes: content },
      { name: `Takeout/Google Photos/${folder}/a.jpg.json`, bytes: said },
    ])
    zip.push({
      name: 'Takeout/Google Photos/Lake/metadata.json',
      bytes: JSON.stringify({ title: 'Lake' }),
    })
    putFile(on.base, 'takeout-20260102T030405Z-001.zip', zipOf(zip))
    const named = { ...ALL, keyword_tags: true }
    await run(named)
    const token = on.admin
    const newest = async () =>
      (await on.library.call('GET', '/files?limit=1', { token })).body.items[0]
    const { id, tags } = await newest()
    const anna = tags.find(({ name }: { name: string }) => name === 'Anna')
    await on.library.call('DELETE', `/files/${id}/tags/${anna.id}`, { token })
    await run(named)
    const after = await newest()
    assert.deepEqual(
      after.tags.map(({ name }: { name: string }) => name),
      ['Bert'],
    )
  })

  it('takes what is beside a picture that is here, before that is removed', async () => {
    const content = await picture(111)
    const { body } = await on.library.upload(on.admin, content)
    putIn('Takeout/Google Photos/Photos from 2017', {
      'a.jpg': content,
      'a.jpg.json': sidecar(),
      'a.jpg.xmp': xmpText({ tags: ['Beach'] }),
    })
    const { text } = await on.library.call('POST', '/files/import', {
      token: on.admin,
      body: { ...ALL, keyword_tags: true },
    })
    assert.match(text, /"reason":"already here"/)
    assert.deepEqual(namesIn(join(on.base, 'Takeout/Google Photos/Photos from 2017')), [
      'a.jpg.json',
    ])
    const file = await on.library.call('GET', `/files/${body.id}`, { token: on.admin })
    assert.deepEqual(
      file.body.tags.map(({ name }: { name: string }) => name),
      ['Beach'],
    )
  })

  it('leaves a picture that the owner has where the content in the library is damaged', async () => {
    const content = await picture(109)
    await on.library.upload(on.admin, content)
    const { db } = on.library.deps
    const { blob } = db.get<{ blob: string }>(
      'SELECT blob FROM file_details ORDER BY file_rid DESC LIMIT 1',
    )!
    const stored = contentsOf(on.library)
    stored.write(blob, content.toReversed())
    putIn('Takeout/Google Photos/Photos from 2017', {
      'a.jpg': content,
      'a.jpg.json': sidecar(),
    })
    const source = 'Takeout/Google Photos/Photos from 2017/a.jpg'
    const damaged = "its content in the library is damaged or can't be read, so the source stays"
    assert.equal((await outcomes())[source], `skipped: already here; ${damaged}`)
    assert.ok(existsSync(join(on.base, source)))
    stored.write(blob, content)
    assert.equal((await outcomes())[source], 'skipped: already imported')
    assert.ok(!existsSync(join(on.base, source)))
  })
})
