import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { SYSTEM } from '../../src/audit/record.ts'
import { judgeLateDates } from '../../src/files/dates/late-dates.ts'
import { type Library, openLibrary, picture } from '../support/harness.ts'
import { LONG_AGO, putFile, runImport } from '../support/imports.ts'

const BEHIND = Date.UTC(2016, 0, 1)
const RIGHT = Date.UTC(2026, 0, 1)
const LATER = Date.UTC(2040, 0, 1)

const pictureOf = (taken: string, digitized?: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
    .withExif({
      IFD2: { DateTimeOriginal: taken, ...(digitized && { DateTimeDigitized: digitized }) },
    })
    .jpeg()
    .toBuffer()

let library: Library
let token: string
const ids: Record<string, string> = {}

/** Goes on at another time, at which tokens of the time before are none. */
async function setClock(now: number): Promise<void> {
  library.time.now = now
  ;({ token } = await library.join(`Ann ${now}`, { is_admin: true }))
}

async function upload(name: string, bytes: Uint8Array, fields: Record<string, string> = {}) {
  const answer = await library.upload(token, bytes, name, fields)
  assert.equal(answer.status, 201, answer.text)
  ids[name] = answer.body.id
}

async function dates(): Promise<Record<string, string[]>> {
  const { body } = await library.call('GET', '/files?limit=100', { token })
  const shown = body.items.map((file: Record<string, string>) => {
    const { original_name, content_datetime, date_source, date_precision } = file
    return [
      original_name,
      [content_datetime, date_source, ...(date_precision ? [date_precision] : [])],
    ]
  })
  return Object.fromEntries(shown)
}

describe('dates that are to come by a clock that is behind', () => {
  const arrived = ['2016-01-01T00:00:00.000Z', 'upload']
  const told = {
    'taken.jpg': ['2024-05-06T07:08:09.000Z', 'exif'],
    'IMG-20240706-WA0001.jpg': ['2024-07-06T12:00:00.000Z', 'name', 'day'],
    // What their contents say of the date is the year or the day alone.
    'IMG_20240709_101112.jpg': ['2024-07-09T10:11:12.000Z', 'name'],
    'IMG_20240710_101112.jpg': ['2024-05-06T12:00:00.000Z', 'exif', 'day'],
    'IMG_20240711_101112.jpg': ['2024-07-11T10:11:12.000Z', 'name'],
    'last changed.jpg': ['2024-07-09T10:11:12.000Z', 'mtime'],
    'modified.jpg': ['2023-01-02T03:04:05.000Z', 'mtime'],
    'imported.jpg': [new Date(LONG_AGO).toISOString(), 'mtime'],
    'before.jpg': ['2014-05-06T07:08:09.000Z', 'exif'],
    'edited.jpg': ['2010-01-01T00:00:00.000Z', 'given'],
    'far.jpg': arrived,
  }

  before(async () => {
    library = await openLibrary({ TIME_ZONE: 'UTC' })
    await setClock(BEHIND)
    await upload('taken.jpg', await pictureOf('2024:05:06 07:08:09'))
    await upload('IMG-20240706-WA0001.jpg', await picture(1))
    await upload('modified.jpg', await picture(2), { modified: '2023-01-02T03:04:05Z' })
    await upload('IMG_20240709_101112.jpg', await pictureOf('2024:00:00 00:00:00'))
    await upload('IMG_20240710_101112.jpg', await pictureOf('2024:05:06'))
    const scanned = await pictureOf('2024:00:00 00:00:00', '2014:05:06 07:08:09')
    await upload('IMG_20240711_101112.jpg', scanned)
    const modified = '2024-07-09T10:11:12Z'
    await upload('last changed.jpg', await pictureOf('2024:00:00 00:00:01'), { modified })
    await upload('before.jpg', await pictureOf('2014:05:06 07:08:09'))
    await upload('edited.jpg', await pictureOf('2024:05:06 07:08:10'))
    await upload('far.jpg', await pictureOf('2039:05:06 07:08:09'))
    mkdirSync(`${library.folder}/import`)
    putFile(`${library.folder}/import`, 'imported.jpg', await picture(3))
    await runImport(library, token)
    const body = { content_datetime: '2010-01-01T00:00:00Z' }
    await library.call('PATCH', `/files/${ids['edited.jpg']}`, { token, body })
  })
  after(() => library.close())

  it('are none at first', async () => {
    const {
      'before.jpg': past,
      'edited.jpg': edited,
      'IMG_20240711_101112.jpg': scanned,
      ...others
    } = await dates()
    assert.deepEqual([past, edited], [told['before.jpg'], told['edited.jpg']])
    assert.deepEqual(scanned, ['2014-05-06T07:08:09.000Z', 'exif'])
    for (const date of Object.values(others)) assert.deepEqual(date, arrived)
    assert.equal(Object.keys(others).length, 8)
    await judgeLateDates(library.deps).over
    assert.deepEqual((await dates())['taken.jpg'], arrived)
  })

  it('are judged again by a clock that is later, all but what a person has given', async () => {
    await setClock(RIGHT)
    await judgeLateDates(library.deps).over
    assert.deepEqual(await dates(), told)
  })

  it('are so once, in one operation, which can be undone', async () => {
    const entries = library.audit().filter(({ user_id }) => user_id === SYSTEM.id)
    assert.equal(entries.length, 8)
    await judgeLateDates(library.deps).over
    assert.deepEqual(
      library.audit().filter(({ user_id }) => user_id === SYSTEM.id),
      entries,
    )
    const { body } = await library.call('GET', '/audit?action=file_edit&limit=1', { token })
    const undone = await library.call('POST', `/operations/${body.items[0].operation}/undo`, {
      token,
    })
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual((await dates())['taken.jpg'], arrived)
    await judgeLateDates(library.deps).over
    assert.deepEqual((await dates())['taken.jpg'], arrived)
  })

  it('wait for their time', async () => {
    await setClock(LATER)
    await judgeLateDates(library.deps).over
    assert.deepEqual((await dates())['far.jpg'], ['2039-05-06T07:08:09.000Z', 'exif'])
    assert.deepEqual(library.deps.db.all('SELECT * FROM late_dates'), [])
  })
})
