import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, it } from 'node:test'
import { filmOf, jpegWith, jpegWithBadEntry } from '../support/dates/contents.ts'
import {
  CREATED,
  eachWithDatedLibrary,
  HOUR,
  IN_BERLIN,
  iso,
  NOON,
  TAKEN,
  takenJpeg,
  UPLOADED,
} from '../support/dates/dated-library.ts'
import { form, picture } from '../support/harness.ts'

const dated = eachWithDatedLibrary()
const { add, call, get, dateOf, pathOf, onRead, undo, run, operations, work } = dated

describe('the date of a file from before its source was kept', () => {
  it('stays, with its source, when it is what is read now', async () => {
    const at = async (exif: Record<string, string>, content_datetime: number) =>
      add({ bytes: await jpegWith({ exif: { IFD2: { ...TAKEN, ...exif } } }), content_datetime })
    const zoned = await at({ OffsetTimeOriginal: '+05:45' }, NOON - 5.75 * HOUR)
    const utc = await at({ OffsetTimeOriginal: '+00:00' }, NOON)
    const parts = await at(
      { OffsetTimeOriginal: '+02:00', SubSecTimeOriginal: '5' },
      NOON - 2 * HOUR,
    )
    const local = await at({}, NOON - 2 * HOUR)
    const film = add({ bytes: filmOf(NOON), mime_type: 'video/mp4', content_datetime: NOON })
    const xmp = add({
      bytes: await jpegWith({ xmp: { 'exif:DateTimeOriginal': '2019-07-01T12:00:00-03:30' } }),
      content_datetime: NOON + 3.5 * HOUR,
    })
    const named = add({
      bytes: await jpegWith({}),
      name: 'IMG_20190701_120000123.jpg',
      content_datetime: NOON - 2 * HOUR + 123,
    })
    await run()
    assert.deepEqual(await dateOf(zoned), [iso(NOON - 5.75 * HOUR), 345, 'exif'])
    assert.deepEqual(await dateOf(utc), [iso(NOON), 0, 'exif'])
    assert.deepEqual(await dateOf(parts), IN_BERLIN)
    assert.deepEqual(await dateOf(local), IN_BERLIN)
    assert.deepEqual(await dateOf(film), [iso(NOON), 0, 'video'])
    assert.deepEqual(await dateOf(xmp), [iso(NOON + 3.5 * HOUR), -210, 'xmp'])
    assert.deepEqual(await dateOf(named), [iso(NOON - 2 * HOUR + 123), 120, 'name'])
    assert.deepEqual(operations(), [])
  })

  it('stays, and is told from where by nobody, when a clock was taken for UTC', async () => {
    const bytes = await takenJpeg()
    const clock = add({ bytes, content_datetime: NOON })
    const spelled = add({
      bytes: await jpegWith({ exif: { IFD2: { ...TAKEN, OffsetTimeOriginal: '+0200' } } }),
      content_datetime: NOON,
    })
    const zoned = add({
      bytes: await jpegWith({ exif: { IFD2: { ...TAKEN, OffsetTimeOriginal: '+02:00' } } }),
      content_datetime: NOON,
    })
    await run()
    for (const id of [clock, spelled, zoned]) {
      assert.deepEqual(await dateOf(id), [iso(NOON), null, null])
    }
    assert.deepEqual(operations(), [])
  })

  it('stays when it was sent on the day that its name tells', async () => {
    const bytes = await jpegWith({})
    const named = add({ bytes, name: 'IMG-20250506-WA0001.jpg' })
    const later = add({ bytes, name: 'IMG-20250505-WA0001.jpg' })
    await run()
    assert.deepEqual(await dateOf(named), [iso(CREATED), 120, 'name'])
    assert.deepEqual(await dateOf(later), ['2025-05-05T10:00:00.000Z', 120, 'name'])
    assert.equal(operations().length, 1)
  })

  it('is left when the content can not be read', async () => {
    const bytes = await takenJpeg()
    const name = 'PXL_20190701_120000123.jpg'
    const [whole, cut] = [add({ bytes, name }), add({ bytes, name })]
    const path = pathOf(cut)
    onRead(async (input, next) => (input.path === path ? { facts: null } : next(input)))
    await run()
    assert.deepEqual(await dateOf(whole), IN_BERLIN)
    assert.deepEqual(await dateOf(cut), UPLOADED)
  })

  it('is mended when it is that of the upload and something better is read', async () => {
    const taken = await takenJpeg()
    const broken = add({ bytes: await jpegWithBadEntry(TAKEN.DateTimeOriginal) })
    const xmp = add({
      bytes: await jpegWith({ xmp: { 'photoshop:DateCreated': '2019-07-01T12:00:00+01:00' } }),
    })
    const named = add({ bytes: await jpegWith({}), name: 'IMG-20180703-WA0001.jpg' })
    const both = add({ bytes: taken, name: 'IMG-20180703-WA0001.jpg' })
    const almost = add({ bytes: taken, content_datetime: CREATED - 60_000 })
    const trashed = add({ bytes: taken, is_deleted: true })
    const plain = add({ bytes: await jpegWith({}) })
    const far = add({ bytes: taken, content_datetime: CREATED - 60_001 })
    await run()
    for (const id of [broken, both, almost, trashed]) assert.deepEqual(await dateOf(id), IN_BERLIN)
    assert.deepEqual(await dateOf(xmp), [iso(NOON - HOUR), 60, 'xmp'])
    assert.deepEqual(await dateOf(named), ['2018-07-03T10:00:00.000Z', 120, 'name'])
    assert.deepEqual(await dateOf(plain), [iso(CREATED), null, 'upload'])
    assert.deepEqual(await dateOf(far), [iso(CREATED - 60_001), null, null])
    assert.equal((await get(broken)).exif.DateTimeOriginal, TAKEN.DateTimeOriginal)

    const { operation, files } = operations()[0]!
    assert.deepEqual([operations().length, files], [1, 6])
    assert.deepEqual(work(), { place: null, looked_at: 8, operation })
    assert.equal((await call('GET', '/status')).body.dates_operation, operation)
    const told = dated.library.logged.filter(({ fields }) => fields?.operation === operation)
    assert.deepEqual(told, [
      {
        level: 'info',
        message: 'the background has changed files',
        fields: { work: 'dates', operation },
      },
    ])
  })

  it('is taken back as one, and not mended again', async () => {
    const taken = await takenJpeg()
    const ids = [1, 2, 3].map(() => add({ bytes: taken }))
    await run()
    const { operation } = operations()[0]!
    const bob = await dated.library.join('Bob', { can_create: true })
    const refused = await dated.library.call('POST', `/operations/${operation}/undo`, bob)
    assert.equal(refused.status, 403)
    const { body } = await undo(operation)
    assert.deepEqual([body.undone, body.kept], [3, []])
    for (const id of ids) assert.deepEqual(await dateOf(id), UPLOADED)
    // Even when all files are looked at again.
    dated.library.deps.db.run("DELETE FROM background_work WHERE name = 'dates'")
    await run()
    for (const id of ids) assert.deepEqual(await dateOf(id), UPLOADED)
    // An undo can be undone.
    await undo(body.operation)
    for (const id of ids) assert.deepEqual(await dateOf(id), IN_BERLIN)
  })

  it('is given when a person has changed it, and was not when that was taken back', async () => {
    const bytes = await takenJpeg()
    const content_datetime = NOON - 2 * HOUR
    const [edited, undone, shifted] = [1, 2, 3].map(() => add({ bytes, content_datetime }))
    const uploaded = add({ bytes })
    const renamed = add({ bytes, content_datetime })
    const to = { content_datetime: '2001-02-03T04:05:06Z' }
    await call('PATCH', `/files/${edited}`, to)
    const change = await call('PATCH', `/files/${undone}`, to)
    await undo(change.headers.get('Operation'))
    const shift = { file_ids: [shifted], shift_minutes: 60 }
    assert.equal((await call('POST', '/files/bulk/update', shift)).status, 200)
    await call('PATCH', `/files/${uploaded}`, to)
    await call('PATCH', `/files/${renamed}`, { original_name: 'y.jpg' })
    // Versions before kept no sources when a date was changed.
    dated.library.deps.db.run('UPDATE files SET date_source = NULL')
    await run()
    assert.deepEqual(await dateOf(edited!), ['2001-02-03T04:05:06.000Z', null, 'given'])
    assert.deepEqual(await dateOf(undone!), [iso(content_datetime), 120, 'exif'])
    assert.deepEqual(await dateOf(shifted!), [iso(content_datetime + HOUR), null, 'given'])
    assert.deepEqual(await dateOf(uploaded), ['2001-02-03T04:05:06.000Z', null, 'given'])
    assert.deepEqual(await dateOf(renamed), [iso(content_datetime), 120, 'exif'])
    assert.deepEqual(operations(), [])
  })

  it('stays when the content is another one by now', async () => {
    const bytes = await takenJpeg()
    const id = add({ bytes, stored_at: CREATED + 1 })
    await run()
    assert.deepEqual(await dateOf(id), [iso(CREATED), null, 'upload'])
  })

  it('stays when nobody can read the content', async () => {
    const id = add({ bytes: await jpegWith({}), name: 'IMG-20180703-WA0001.jpg' })
    rmSync(pathOf(id))
    await run()
    assert.deepEqual(await dateOf(id), UPLOADED)
    assert.equal(work()!.place, null)
  })

  it('stays undecided until the next start when the server may not read the content', async () => {
    const id = add({ bytes: await takenJpeg() })
    const newer = add({ bytes: await jpegWith({}) })
    const path = pathOf(id)
    const { storage } = dated.library.deps
    const error = Object.assign(new Error('permission denied'), { code: 'EACCES' })
    const read: string[] = []
    let isRefused = true
    onRead(async (input, next) => {
      read.push(input.path)
      if (input.path === path && isRefused) throw error
      return next(input)
    })
    dated.library.deps.storage = { ...storage, readStart: () => Promise.reject(error) }
    await run()
    assert.deepEqual(await dateOf(id), UPLOADED)
    assert.deepEqual(await dateOf(newer), [iso(CREATED), null, 'upload'])
    assert.ok(!dated.library.waits.includes(10 * 60_000))
    assert.equal(work()!.place, null)
    isRefused = false
    await run()
    assert.deepEqual(await dateOf(id), IN_BERLIN)
    assert.equal(read.length, 3)
    await run()
    assert.equal(read.length, 3)
  })

  it('gets EXIF that could not be read, and keeps what was', async () => {
    const bytes = await jpegWithBadEntry(TAKEN.DateTimeOriginal)
    const kept = { Make: 'as it was' }
    const some = add({ bytes, exif: kept })
    const none = add({ bytes })
    await call('PATCH', `/files/${none}`, { content_datetime: '2001-02-03T04:05:06Z' })
    await run()
    assert.deepEqual((await get(some)).exif, kept)
    assert.equal((await get(none)).exif.DateTimeOriginal, TAKEN.DateTimeOriginal)
    assert.deepEqual(await dateOf(none), ['2001-02-03T04:05:06.000Z', null, 'given'])
  })

  it('is not written anew for a content without EXIF', async () => {
    const { db } = dated.library.deps
    const id = add({ bytes: await jpegWith({}) })
    db.run('CREATE TEMP TABLE writes (exif TEXT)')
    db.run(
      `CREATE TEMP TRIGGER written AFTER UPDATE OF exif ON file_details
       BEGIN INSERT INTO writes VALUES (NEW.exif); END`,
    )
    await run()
    assert.deepEqual(await dateOf(id), [iso(CREATED), null, 'upload'])
    assert.deepEqual(db.all('SELECT exif FROM writes'), [])
  })
})

describe('a date beside the content', () => {
  /** Adds a file whose source was recorded, in the zone of Berlin in May. */
  function addFrom(date_source: string, file: Parameters<typeof add>[0]): string {
    const id = add(file)
    dated.library.deps.db.run(
      'UPDATE files SET date_source = ?, content_offset = ? WHERE id = unhex(?)',
      date_source,
      date_source === 'upload' ? null : 120,
      id.replaceAll('-', ''),
    )
    return id
  }

  it('gives way to what the content and then the name tell by now, as one operation', async () => {
    const taken = await takenJpeg()
    const plain = await jpegWith({})
    const sources = ['upload', 'name', 'mtime']
    const mended = sources.map((source) => addFrom(source, { bytes: taken }))
    const name = 'IMG_20190701_120000.jpg'
    const named = addFrom('upload', { bytes: plain, name })
    const imported = addFrom('mtime', { bytes: plain, name })
    const kept = sources.map((source) => addFrom(source, { bytes: plain }))
    const given = addFrom('given', { bytes: taken })
    const exif = addFrom('exif', { bytes: taken })
    const replaced = addFrom('upload', { bytes: taken, stored_at: CREATED + 1 })
    await run()
    for (const id of mended) assert.deepEqual(await dateOf(id), IN_BERLIN)
    assert.deepEqual(await dateOf(named), [iso(NOON - 2 * HOUR), 120, 'name'])
    assert.deepEqual(await dateOf(imported), [iso(CREATED), 120, 'mtime'])
    assert.deepEqual(await dateOf(kept[0]!), [iso(CREATED), null, 'upload'])
    assert.deepEqual(await dateOf(kept[1]!), [iso(CREATED), 120, 'name'])
    assert.deepEqual(await dateOf(kept[2]!), [iso(CREATED), 120, 'mtime'])
    assert.deepEqual(await dateOf(given), [iso(CREATED), 120, 'given'])
    assert.deepEqual(await dateOf(exif), [iso(CREATED), 120, 'exif'])
    assert.deepEqual(await dateOf(replaced), [iso(CREATED), null, 'upload'])
    assert.deepEqual(
      operations().map(({ files }) => files),
      [4],
    )
  })

  it('stays when it lies within what the content says, unless it is that of the upload', async () => {
    const inYear = (year: number) =>
      jpegWith({ exif: { IFD2: { DateTimeOriginal: `${year}:00:00 00:00:00` } } })
    const evening = Date.UTC(2018, 6, 3, 16, 30)
    const of2018 = { bytes: await inYear(2018), content_datetime: evening }
    const named = addFrom('name', { ...of2018, name: 'VID_20180703_183000.jpg' })
    const renamed = addFrom('name', of2018)
    const modified = addFrom('mtime', of2018)
    const elsewhere = addFrom('mtime', { ...of2018, bytes: await inYear(1987) })
    const uploaded = addFrom('upload', { bytes: await inYear(2025) })
    await run()
    assert.deepEqual(await dateOf(named), [iso(evening), 120, 'name'])
    assert.deepEqual(await dateOf(renamed), [iso(evening), 120, 'name'])
    assert.deepEqual(await dateOf(modified), [iso(evening), 120, 'mtime'])
    assert.deepEqual(await dateOf(elsewhere), ['1987-07-02T10:00:00.000Z', 120, 'exif'])
    assert.deepEqual(await dateOf(uploaded), ['2025-07-02T10:00:00.000Z', 120, 'exif'])
    assert.deepEqual(
      operations().map(({ files }) => files),
      [2],
    )
  })

  it('stays, with its source, when the name tells no other time', async () => {
    const bytes = await jpegWith({})
    const sent = addFrom('upload', { bytes, name: 'IMG-20250506-WA0001.jpg' })
    const modified = addFrom('mtime', {
      bytes,
      name: 'IMG_20190701_120000.jpg',
      content_datetime: NOON - 2 * HOUR,
    })
    await run()
    assert.deepEqual(await dateOf(sent), [iso(CREATED), null, 'upload'])
    assert.deepEqual(await dateOf(modified), [iso(NOON - 2 * HOUR), 120, 'mtime'])
    assert.deepEqual(operations(), [])
  })

  it('stays once somebody has taken the other one back', async () => {
    const id = addFrom('upload', { bytes: await takenJpeg() })
    await run()
    assert.equal((await undo(operations()[0]!.operation)).body.undone, 1)
    dated.library.deps.db.run("DELETE FROM background_work WHERE name = 'dates'")
    await run()
    assert.deepEqual(await dateOf(id), UPLOADED.with(2, 'upload'))
  })

  it('keeps the clock of a name whose zone is another by now, and learns which names are UTC', async () => {
    const bytes = await jpegWith({})
    const add = (name: string, content_datetime: number) =>
      addFrom('name', { bytes, name, content_datetime })
    // Read in Berlin as if it were a local clock, and in another zone.
    const utc = add('PXL_20190701_120000000.jpg', NOON - 2 * HOUR)
    const elsewhere = add('IMG_20190701_120000.jpg', NOON - 2 * HOUR)
    const day = add('IMG-20190701-WA0001.jpg', NOON + 5 * HOUR)
    dated.library.deps.config = { ...dated.library.deps.config, timeZone: 'Asia/Tokyo' }
    await run()
    assert.deepEqual(await dateOf(utc), [iso(NOON), 540, 'name'])
    assert.deepEqual(await dateOf(elsewhere), [iso(NOON - 2 * HOUR), 120, 'name'])
    assert.deepEqual(await dateOf(day), [iso(NOON + 5 * HOUR), 120, 'name'])
  })
})

describe('a file that changes while its content is read again', () => {
  /** Has something happen behind the next reading. */
  function afterReading(happen: () => Promise<unknown>): void {
    let hasHappened = false
    onRead(async (input, next) => {
      const told = await next(input)
      if (!hasHappened) await happen()
      hasHappened = true
      return told
    })
  }

  it('keeps the date that a person gives it', async () => {
    const id = add({ bytes: await takenJpeg() })
    afterReading(() => call('PATCH', `/files/${id}`, { content_datetime: '2001-02-03T04:05:06Z' }))
    await run()
    assert.deepEqual(await dateOf(id), ['2001-02-03T04:05:06.000Z', null, 'given'])
    assert.deepEqual(operations(), [])
  })

  it('has the date and the EXIF of no content that was replaced', async () => {
    const id = add({ bytes: await jpegWithBadEntry(TAKEN.DateTimeOriginal) })
    const other = form(await picture(), 'y.jpg')
    afterReading(() => call('PUT', `/files/${id}/content`, other))
    await run()
    const file = await get(id)
    assert.deepEqual([file.content_datetime, file.exif], [iso(CREATED), {}])
    assert.deepEqual(operations(), [])
  })

  it('may be purged', async () => {
    const id = add({ bytes: await takenJpeg(), is_deleted: true })
    const other = add({ bytes: await takenJpeg() })
    afterReading(() => call('DELETE', `/files/${id}/permanent`))
    await run()
    assert.deepEqual(await dateOf(other), IN_BERLIN)
    assert.equal((await call('GET', `/files/${id}`)).status, 404)
    assert.equal(operations()[0]!.files, 1)
  })
})
