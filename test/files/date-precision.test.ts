import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { useLibraryInRome } from '../support/dates/in-rome.ts'
import { assertError } from '../support/files.ts'
import { form, picture } from '../support/harness.ts'

const rome = useLibraryInRome()
const { call } = rome

interface Dated {
  id: string
  content_datetime: string
  content_offset: number | null
  date_source: string | null
  date_precision: string | null
}
const dateOf = (file: Dated) => {
  const { content_datetime, content_offset, date_source, date_precision } = file
  return [content_datetime, content_offset, date_source, date_precision]
}
const get = async (id: string): Promise<Dated> => (await call('GET', `/files/${id}`)).body
const undo = async (operation: string | null) =>
  (await call('POST', `/operations/${operation}/undo`)).body
const takenAt = (DateTimeOriginal: string, more: Record<string, string> = {}) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
    .withExif({ IFD0: more, IFD2: { DateTimeOriginal } })
    .jpeg()
    .toBuffer()
const upload = async (bytes: Uint8Array, name = 'x.jpg', fields: Record<string, string> = {}) => {
  const answer = await rome.library.upload(rome.ann.token, bytes, name, fields)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as Dated
}

const YEAR = ['1987-07-02T10:00:00.000Z', 120, 'exif', 'year']
const MONTH = ['1987-06-15T10:00:00.000Z', 120, 'exif', 'month']
const DAY = ['1987-06-05T10:00:00.000Z', 120, 'exif', 'day']

describe('a date that is known in part', () => {
  it('is the middle of what its content says, by the clock of the library', async () => {
    const dates = async (text: string) => dateOf(await upload(await takenAt(text)))
    assert.deepEqual(await dates('1987:00:00 00:00:00'), YEAR)
    assert.deepEqual(await dates('1987:06:00 00:00:00'), MONTH)
    assert.deepEqual(await dates('1987:06:05   :  :  '), DAY)
    assert.deepEqual(await dates('1987:06:05 00:00:00'), [
      '1987-06-04T22:00:00.000Z',
      120,
      'exif',
      null,
    ])
    // The year of the library's clock is not over.
    assert.deepEqual(await dates('2026:00:00 00:00:00'), [
      '2026-07-02T10:00:00.000Z',
      120,
      'exif',
      'year',
    ])
  })

  it('is a day in a name, unless the clock of that day is known', async () => {
    const name = 'IMG-20180703-WA0001.jpg'
    const noon = ['2018-07-03T10:00:00.000Z', 120, 'name']
    assert.deepEqual(dateOf(await upload(await picture(), name)), [...noon, 'day'])
    const modified = '2018-07-03T10:00:00Z'
    assert.deepEqual(dateOf(await upload(await picture(), name, { modified })), [...noon, null])
  })

  it('leaves more to a name, or to the last change of the source, that lies within it', async () => {
    const dates = async (text: string, name: string, fields: Record<string, string> = {}) =>
      dateOf(await upload(await takenAt(text), name, fields))
    const year = '2018:00:00 00:00:00'
    const name = 'IMG_20180703_183000.jpg'
    const evening = ['2018-07-03T16:30:00.000Z', 120]
    assert.deepEqual(await dates(year, name), [...evening, 'name', null])
    assert.deepEqual(await dates('2018:07:03', name), [...evening, 'name', null])
    assert.deepEqual(await dates('2018:07:03', 'IMG-20180703-WA0001.jpg'), [
      '2018-07-03T10:00:00.000Z',
      120,
      'exif',
      'day',
    ])
    const modified = '2018-07-03T16:30:00Z'
    assert.deepEqual(await dates(year, 'x.jpg', { modified }), [...evening, 'mtime', null])
    assert.deepEqual(await dates(year, 'IMG_20190101_000000.jpg', { modified }), [
      ...evening,
      'mtime',
      null,
    ])
    // By the clock of Rome, that is in 1987.
    const inYear = { modified: '1986-12-31T23:30:00Z' }
    assert.deepEqual(await dates('1987:00:00 00:00:00', 'x.jpg', inYear), [
      '1986-12-31T23:30:00.000Z',
      60,
      'mtime',
      null,
    ])
    assert.deepEqual(await dates('1987:06:05', name, { modified }), DAY)
    // Of a year, no upload in it is the date.
    const thisYear = new Date(rome.library.time.now).getUTCFullYear()
    const [, , source, precision] = await dates(`${thisYear}:00:00 00:00:00`, 'x.jpg')
    assert.deepEqual([source, precision], ['exif', 'year'])
  })

  it('is given by a person, by the clock of the zone that the file has or gets', async () => {
    const { id } = await upload(await takenAt('2019:01:04 05:06:07'))
    const patch = async (body: object) => dateOf((await call('PATCH', `/files/${id}`, body)).body)
    const lastOf1986 = { content_datetime: '1986-12-31T23:30:00Z' }
    assert.deepEqual(await patch({ ...lastOf1986, date_precision: 'year' }), [
      '1987-07-02T11:00:00.000Z',
      60,
      'given',
      'year',
    ])
    const inNewYork = { content_datetime: '1987-06-30T23:59:59-04:00' }
    assert.deepEqual(await patch({ ...inNewYork, date_precision: 'month' }), [
      '1987-06-15T16:00:00.000Z',
      -240,
      'given',
      'month',
    ])
    assert.deepEqual(await patch({ ...inNewYork, date_precision: 'day' }), [
      '1987-06-30T16:00:00.000Z',
      -240,
      'given',
      'day',
    ])
    assert.deepEqual(await patch(inNewYork), ['1987-07-01T03:59:59.000Z', -240, 'given', null])
  })

  it('stays when a client sends the file back, and is a moment when the client says so', async () => {
    const file = await upload(await takenAt('1987:00:00 00:00:00'))
    const patch = async (body: object) =>
      dateOf((await call('PATCH', `/files/${file.id}`, body)).body)
    const { content_datetime } = file
    assert.deepEqual(await patch(file), YEAR)
    assert.deepEqual(await patch({ content_datetime }), YEAR)
    const moment = [content_datetime, 120, 'given', null]
    assert.deepEqual(await patch({ content_datetime, date_precision: null }), moment)
  })

  it('needs a date that it belongs to, and a year that there is', async () => {
    const { id } = await upload(await takenAt('1987:00:00 00:00:00'))
    for (const date_precision of ['year', null]) {
      const one = await call('PATCH', `/files/${id}`, { date_precision })
      assertError(one, 400, 'validation_error', ['date_precision'])
      const body = { file_ids: [id], set: { date_precision } }
      const many = await call('POST', '/files/bulk/update', body)
      assertError(many, 400, 'validation_error', ['set.date_precision'])
    }
    const content_datetime = '1987-01-01T00:00:00Z'
    const hour = await call('PATCH', `/files/${id}`, { content_datetime, date_precision: 'hour' })
    assertError(hour, 400, 'validation_error', ['date_precision'])
    // By its clock, this is in the year 0.
    const early = { content_datetime: '0000-12-31T23:30:00-01:00', date_precision: 'year' }
    assertError(await call('PATCH', `/files/${id}`, early), 400, 'validation_error', [
      'content_datetime',
    ])
    const skipped = await call('POST', '/files/bulk/update', { file_ids: [id], set: early })
    assert.deepEqual(skipped.body, { changed: 0, skipped: 1, skipped_ids: [id] })
    assert.deepEqual(dateOf(await get(id)), YEAR)
  })

  it('is given to many, to each by its own clock', async () => {
    const summer = await upload(await takenAt('2019:07:04 05:06:07'))
    const winter = await upload(await takenAt('2019:01:04 05:06:07'))
    const file_ids = [summer.id, winter.id]
    const set = { content_datetime: '1986-12-31T22:30:00Z', date_precision: 'year' }
    const { body, headers } = await call('POST', '/files/bulk/update', { file_ids, set })
    assert.equal(body.changed, 2)
    assert.deepEqual(dateOf(await get(summer.id)), [
      '1987-07-02T10:00:00.000Z',
      120,
      'given',
      'year',
    ])
    assert.deepEqual(dateOf(await get(winter.id)), [
      '1986-07-02T11:00:00.000Z',
      60,
      'given',
      'year',
    ])
    assert.equal((await call('POST', '/files/bulk/update', { file_ids, set })).body.changed, 0)
    assert.equal((await undo(headers.get('Operation'))).undone, 2)
    for (const file of [summer, winter]) assert.deepEqual(await get(file.id), file)
  })

  it('moves by whole days, and not at all where the day is unknown', async () => {
    const day = await upload(await takenAt('1987:06:05'))
    const moment = await upload(await takenAt('1987:06:05 12:00:00'))
    const file_ids = [day.id, moment.id]
    const shift = (shift_minutes: number) =>
      call('POST', '/files/bulk/update', { file_ids, shift_minutes })
    assert.deepEqual((await shift(60)).body, { changed: 1, skipped: 1, skipped_ids: [day.id] })
    assert.deepEqual(dateOf(await get(day.id)), DAY)
    const { headers } = await shift(-3 * 24 * 60)
    assert.deepEqual(dateOf(await get(day.id)), ['1987-06-02T10:00:00.000Z', 120, 'given', 'day'])
    await undo(headers.get('Operation'))
    assert.deepEqual(dateOf(await get(day.id)), DAY)
    const texts = ['1987:06:00 00:00:00', '1987:00:00 00:00:00']
    const parts = await Promise.all(texts.map(async (text) => upload(await takenAt(text))))
    const ids = parts.map(({ id }) => id)
    const body = { file_ids: ids, shift_minutes: 24 * 60 }
    const refused = (await call('POST', '/files/bulk/update', body)).body
    assert.deepEqual(refused, { changed: 0, skipped: 2, skipped_ids: ids })
    for (const part of parts) assert.deepEqual(await get(part.id), part)
    const others = { file_ids: ids, set: { notes: 'n' }, shift_minutes: 0 }
    assert.equal((await call('POST', '/files/bulk/update', others)).body.changed, 2)
  })

  it('is taken back, merged and kept as a whole', async () => {
    const keep = await upload(await takenAt('2019:01:04 05:06:07'))
    const month = await upload(await takenAt('1987:06:00 00:00:00'))
    const merged = await call('POST', '/files/duplicates/resolve', {
      keep: keep.id,
      discard: month.id,
      fields: { content_datetime: 'discard' },
    })
    assert.deepEqual(dateOf(merged.body), MONTH)
    const path = `/files/${keep.id}/content`
    const replaced = await call('PUT', path, form(await takenAt('2020:01:01 00:00:00'), 'y.jpg'))
    assert.deepEqual(dateOf(replaced.body), MONTH)
    await undo(merged.headers.get('Operation'))
    assert.deepEqual(dateOf(await get(keep.id)), dateOf(keep))
    const given = { content_datetime: '1987-01-01T00:00:00Z', date_precision: 'year' }
    const edited = await call('PATCH', `/files/${keep.id}`, given)
    await undo(edited.headers.get('Operation'))
    assert.deepEqual(dateOf(await get(keep.id)), dateOf(keep))
  })

  it('is not taken back to a moment that was another date, and is to another day', async () => {
    const { id } = await upload(await takenAt('2019:01:04 05:06:07'))
    const patch = (body: object) => call('PATCH', `/files/${id}`, body)
    const operationOf = async (body: object) => (await patch(body)).headers.get('Operation')
    const content_datetime = '1990-01-05T11:00:00.000Z'
    const toNoon = await operationOf({ content_datetime, original_name: 'noon.jpg' })
    const toDay = await operationOf({ content_datetime, date_precision: 'day' })
    const day = [content_datetime, 60, 'given', 'day']
    assert.deepEqual(dateOf(await get(id)), day)
    const { kept } = await undo(toNoon)
    assert.deepEqual(kept, [{ object_type: 'file', object_id: id, reason: 'changed' }])
    assert.deepEqual(dateOf(await get(id)), day)
    const next = { content_datetime: '1990-01-06T11:00:00Z', date_precision: 'day' }
    assert.deepEqual((await undo(await operationOf(next))).kept, [])
    assert.deepEqual(dateOf(await get(id)), day)
    await undo(toDay)
    assert.deepEqual(dateOf(await get(id)), [content_datetime, 60, 'given', null])
  })

  it('is on no day of a year where only the month or the year is known', async () => {
    const day = await upload(await takenAt('1990:06:15'))
    await upload(await takenAt('1990:06:00 00:00:00'))
    const { years } = (await call('GET', '/files/this-day?day=1991-06-15')).body
    assert.deepEqual(
      years.map(({ year, files, shown }: { year: number; files: number; shown: Dated[] }) => [
        year,
        files,
        shown.map(({ id }) => id),
      ]),
      [[1990, 1, [day.id]]],
    )
  })

  it('makes no series, though all of a day have one time', async () => {
    const camera = { Make: 'Maker', Model: 'Model' }
    for (let made = 0; made < 2; made++) await upload(await takenAt('1995:07:02', camera))
    const range = 'from=1995-01-01T00:00:00Z&to=1996-01-01T00:00:00Z'
    const query = `sort=content_datetime&series=1&${range}`
    const { s } = (await call('GET', `/files/cells?${query}`)).body
    assert.deepEqual(s, [null, null])
  })
})
