import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import { dataFolder } from '../../../src/media/data-folder.ts'
import { filmOf, jpegWith, jpegWithBadEntry } from '../../support/dates/contents.ts'
import { CREATED, HOUR, NOON, TAKEN, takenJpeg } from '../../support/dates/dated-library.ts'
import { addFileOf3, type FileOf3, openLibraryOf3 } from '../../support/dates/old-files.ts'
import { blobOf } from '../../support/files.ts'
import { contentOf } from '../../support/long-changes/portions.ts'
import { runToEnd } from '../../support/spawn.ts'

const BERLIN = { content_datetime: '2019-07-01T10:00:00.000Z', content_offset: 120 }

/** What the command tells of the files, the oldest first. */
const EXPECTED = [
  ['given.jpg', '2001-02-03T04:05:06.000Z', { ...BERLIN, date_source: 'exif' }, 'source', 'given'],
  ['clock.jpg', '2019-07-01T12:00:00.000Z', { ...BERLIN, date_source: 'exif' }, 'left', null],
  [
    'film.mp4',
    '2019-07-01T12:00:00.000Z',
    { content_datetime: '2019-07-01T12:00:00.000Z', content_offset: 0, date_source: 'video' },
    'source',
    'video',
  ],
  ['broken.jpg', '2025-05-06T07:08:09.123Z', { ...BERLIN, date_source: 'exif' }, 'mended', 'exif'],
  ['other.jpg', '2019-07-01T00:00:00.000Z', { ...BERLIN, date_source: 'exif' }, 'left', null],
  ['lost.jpg', '2025-05-06T07:08:09.123Z', null, 'unread', null],
  ['gone.jpg', '2025-05-06T07:08:09.123Z', null, 'unread', null],
  ['\u001b[31m.jpg', '2025-05-06T07:08:09.123Z', null, 'source', 'upload'],
]

/** Said once for both. */
const WHY = "Tagstead can't read all files: ENOENT\n"

let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-dates-'))
  const db = openLibraryOf3(folder)
  db.run(
    "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (1, 'Ann', '', 1, 1, 0)",
  )
  const add = (file: Partial<FileOf3> & Pick<FileOf3, 'bytes' | 'name'>) =>
    addFileOf3(db, folder, { created_at: CREATED, ...file })
  const bytes = await takenJpeg()
  const given = Date.UTC(2001, 1, 3, 4, 5, 6)
  const id = add({ bytes, name: 'given.jpg', content_datetime: given })
  const change = { from: '2025-05-06T07:08:09.123Z', to: '2001-02-03T04:05:06.000Z' }
  db.run(
    `INSERT INTO audit_log (user_id, user_name, action, object_type, object_id, details, performed_at)
     VALUES (1, 'Ann', 'file_edit', 'file', unhex(?), ?, 0)`,
    id.replaceAll('-', ''),
    JSON.stringify({ changes: { content_datetime: change } }),
  )
  add({ bytes, name: 'clock.jpg', content_datetime: NOON })
  const film = { mime_type: 'video/mp4', content_datetime: NOON } as const
  add({ bytes: filmOf(NOON), name: 'film.mp4', ...film })
  add({ bytes: await jpegWithBadEntry(TAKEN.DateTimeOriginal), name: 'broken.jpg' })
  add({ bytes, name: 'other.jpg', content_datetime: NOON - 12 * HOUR })
  for (const name of ['lost.jpg', 'gone.jpg']) {
    rmSync(dataFolder(folder).content(blobOf(db, add({ bytes, name }))))
  }
  add({ bytes: await jpegWith({}), name: '\u001b[31m.jpg' })
  db.close()
})
after(() => rmSync(folder, { recursive: true }))

const command = (...args: string[]) =>
  runToEnd(['dates', ...args], { env: { DATA_DIR: folder, TIME_ZONE: 'Europe/Berlin' } })

function withDatabase<T>(use: (db: Db) => T, migrations?: string): T {
  const db = openDatabase(join(folder, 'tagstead.sqlite'), migrations ? { migrations } : {})
  try {
    return use(db)
  } finally {
    db.close()
  }
}

/** All that is in the folder: names, and the rows and the schema of the database. */
const everything = () => ({
  names: readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !/lock$|lock-|\.sqlite-/.test(name))
    .sort(),
  rows: withDatabase(contentOf),
  schema: withDatabase((db) => db.all('SELECT sql FROM sqlite_schema')),
})

async function assertListed(): Promise<void> {
  const { code, stdout, stderr } = await command('--dry-run', '--json')
  assert.deepEqual([code, stderr], [1, WHY])
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ original_name, content_datetime, found, what, becomes }) => [
      original_name,
      content_datetime,
      found,
      what,
      becomes.date_source,
    ]),
    EXPECTED.toReversed(),
  )
  assert.ok(lines.every(({ date_source }) => date_source === null))
  for (const { what, reason } of lines) assert.equal(reason, what === 'unread' ? 'ENOENT' : null)
}

describe('tagstead dates --dry-run', () => {
  it('lists what becomes of the dates in a library of version 3.0.0, and changes nothing', async () => {
    const before = everything()
    await assertListed()
    assert.deepEqual(everything(), before)
  })

  it('does so in one that is migrated while a server writes there, also for people', async () => {
    withDatabase(() => {}, 'drizzle')
    const before = everything()
    const lock = acquireLock(join(folder, 'lock'), 'taken')
    const writing = openDatabase(join(folder, 'tagstead.sqlite'))
    writing.run('BEGIN IMMEDIATE')
    await assertListed()
    writing.run('ROLLBACK')
    writing.close()
    lock.release()
    const { code, stdout, stderr } = await command('--dry-run')
    assert.deepEqual([code, stderr], [1, WHY])
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.length, EXPECTED.length + 1)
    assert.match(
      lines[4]!,
      /^[0-9a-f-]{36} {2}2025-05-06T07:08:09\.123Z {2}2019-07-01T10:00:00\.000Z {2}exif {3}mended exif {4}"broken\.jpg"$/,
    )
    // A name can't give orders to the terminal.
    assert.match(lines[0]!, /"\\u001b\[31m\.jpg"$/)
    assert.equal(lines.at(-1), '8 files: 3 source, 1 mended, 2 left, 2 unread')
    assert.deepEqual(everything(), before)
  })

  it('needs to be told that nothing shall be changed', async () => {
    for (const args of [[], ['--json'], ['--dry-run', 'x'], ['--fast']]) {
      const { code, stdout, stderr } = await command(...args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^Usage: tagstead dates --dry-run/m)
    }
  })

  it('needs a library', async () => {
    const env = { DATA_DIR: join(folder, 'files') }
    const { code, stdout, stderr } = await runToEnd(['dates', '--dry-run'], { env })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /There is no library in /)
  })
})
