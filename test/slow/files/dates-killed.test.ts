import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { createPasswords } from '../../../src/auth/password.ts'
import { PORTION } from '../../../src/background/kind.ts'
import { DAY } from '../../../src/base/time.ts'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { filmOf, jpegWith, jpegWithBadEntry } from '../../support/dates/contents.ts'
import { CREATED, HOUR, NOON, TAKEN, takenJpeg } from '../../support/dates/dated-library.ts'
import { addFileOf3, type FileOf3, openLibraryOf3 } from '../../support/dates/old-files.ts'
import { eventually } from '../../support/eventually.ts'
import { holdBackground } from '../../support/held-background.ts'
import { spawnServer } from '../../support/spawn.ts'

const FILES = 300
const PASSWORD = 'a password for tests'

/** A kind of file as version 3.0.0 left it, and its date, zone and source after the work. */
interface Sort {
  file: Omit<FileOf3, 'created_at' | 'name'> & { name?: string }
  date: [number, number | null, string | null]
}

async function sorts(): Promise<Sort[]> {
  const zone = { ...TAKEN, OffsetTimeOriginal: '+02:00' }
  const mended = [NOON - 2 * HOUR, 120] as const
  const clock = await takenJpeg()
  return [
    {
      file: { bytes: await jpegWith({ exif: { IFD2: zone } }), content_datetime: NOON - 2 * HOUR },
      date: [...mended, 'exif'],
    },
    { file: { bytes: clock, content_datetime: NOON }, date: [NOON, null, null] },
    {
      file: { bytes: filmOf(NOON), mime_type: 'video/mp4', content_datetime: NOON },
      date: [NOON, 0, 'video'],
    },
    {
      file: { bytes: await jpegWithBadEntry(TAKEN.DateTimeOriginal) },
      date: [...mended, 'exif'],
    },
    {
      file: {
        bytes: await jpegWith({ xmp: { 'exif:DateTimeOriginal': '2019-07-01T12:00:00' } }),
        is_deleted: true,
      },
      date: [...mended, 'xmp'],
    },
    {
      file: { bytes: await jpegWith({}), name: 'IMG-20190701-WA0001.jpg' },
      date: [...mended, 'name'],
    },
    { file: { bytes: await jpegWith({}) }, date: [CREATED, null, 'upload'] },
    { file: { bytes: clock, content_datetime: NOON - DAY }, date: [NOON - DAY, null, null] },
  ]
}

const MENDED = ['exif', 'xmp', 'name']
const isMended = ({ file, date }: Sort) => !file.content_datetime && MENDED.includes(date[2]!)

async function makeLibrary(folder: string, all: Sort[]): Promise<void> {
  const db = openLibraryOf3(folder)
  const hash = await createPasswords({ memoryCost: 64, timeCost: 1 }).hash(PASSWORD)
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'admin', ?, 1, 1, 0)",
    hash,
  )
  for (let n = 0; n < FILES; n++) {
    addFileOf3(db, folder, { name: `${n}.jpg`, created_at: CREATED, ...all[n % all.length]!.file })
  }
  db.close()
}

const datesOf = (db: Db) =>
  db
    .all<{ date: number; zone: number | null; source: string | null }>(
      'SELECT content_datetime AS date, content_offset AS zone, date_source AS source FROM files ORDER BY rid',
    )
    .map(({ date, zone, source }) => [date, zone, source])

interface Progress {
  place: number | null
  looked_at: number
  operation: number | null
}
const progressOf = (db: Db) =>
  db.get<Progress>("SELECT place, looked_at, operation FROM background_work WHERE name = 'dates'")

it('300 files of version 3.0.0 get their dates as one operation, whenever the server is killed', {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-dates-'))
  const all = await sorts()
  await makeLibrary(folder, all)
  const start = () =>
    spawnServer({ dataDir: folder, env: { FFMPEG_PATH: '', TIME_ZONE: 'Europe/Berlin' } })
  let server = await start()
  const db = openDatabase(join(folder, 'tagstead.sqlite'))
  const until = (isReached: (progress: Progress) => boolean) =>
    eventually(() => {
      const progress = progressOf(db)
      return progress && isReached(progress) ? progress : null
    })
  db.run('CREATE TABLE places (place INTEGER)')
  for (const change of ['INSERT', 'UPDATE']) {
    db.run(
      `CREATE TRIGGER moved_by_${change} AFTER ${change} ON background_work WHEN NEW.name = 'dates'
       BEGIN INSERT INTO places VALUES (NEW.place); END`,
    )
  }
  const hold = holdBackground(db, 'dates')
  let operation: number | null = null
  try {
    for (const portions of [1, 4]) {
      hold((portions + 1) * PORTION)
      const reached = await until(({ looked_at }) => looked_at >= portions * PORTION)
      await server.stop('SIGKILL')
      operation ??= reached.operation
      const { looked_at } = progressOf(db)!
      assert.ok(looked_at < FILES)
      const sources = db.get<{ n: number }>(
        'SELECT count(*) AS n FROM files WHERE date_source IS NOT NULL',
      )!
      // What was found is there together with the place: one in eight has nothing to be found.
      const left = Array.from({ length: looked_at }, (_, n) => (FILES - 1 - n) % all.length)
      assert.equal(sources.n, left.filter((sort) => all[sort]!.date[2] !== null).length)
      server = await start()
    }
    hold(null)
    const over = await until(({ place }) => place === null)
    assert.equal(over.operation, operation)
    // What nobody can tell is not read again for a kill.
    const places = db.all<{ place: number | null }>('SELECT place FROM places ORDER BY rowid')
    const passed = places.map(({ place }) => place ?? 0)
    assert.ok(passed.length > 4)
    assert.deepEqual(
      passed,
      [...new Set(passed)].sort((a, b) => b - a),
    )
    const expected = Array.from({ length: FILES }, (_, n) => all[n % all.length]!)
    assert.deepEqual(
      datesOf(db),
      expected.map(({ date }) => date),
    )
    const entries = db.all<{ operation: number; n: number }>(
      "SELECT operation, count(*) AS n FROM audit_log WHERE action = 'file_edit' GROUP BY operation",
    )
    assert.deepEqual(entries, [{ operation, n: expected.filter(isMended).length }])

    const token = await signIn(server.url)
    const answer = await fetch(`${server.url}/api/v1/operations/${operation}/undo`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    })
    assert.equal(answer.status, 200)
    const undone = expected.map((sort) => (isMended(sort) ? [CREATED, null, null] : sort.date))
    assert.deepEqual(datesOf(db), undone)
  } finally {
    await server.stop('SIGKILL')
    db.close()
    rmSync(folder, { recursive: true })
  }
})

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password: PASSWORD }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
