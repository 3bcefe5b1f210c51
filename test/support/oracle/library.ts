import { write } from '../../../src/db/write.ts'
import { fileSeed, idAt, insertFiles } from '../file-rows.ts'
import { type Library, openLibrary } from '../harness.ts'
import { allow, insertCategory, insertPool, insertTag, putTags, ridOf } from '../object-rows.ts'

const FILES = 3000
const TAGS = 40
/** The newest of the tags is being deleted. */
const LAST_TAG = TAGS - 1
const TYPES = [
  ...Array(16).fill('image/jpeg'),
  ...['image/png', 'image/png', 'video/mp4', 'image/tiff'],
] as string[]
const NAMES = ['IMG_', 'img_', 'dsc', 'Ä sunset ', '湖']
const START = Date.UTC(2020, 0, 1)
const HOUR = 3_600_000

/** A library whose lists are compared with plain SQL. */
export interface OracleLibrary {
  library: Library
  people: Person[]
  tags: string[]
  pools: string[]
  categories: string[]
  files: string[]
}

export interface Person {
  name: string
  id: number
  isAdmin: boolean
  token: string
}

/**
 * Opens a library of 3,000 files that are alike in many ways: 40 tags by Zipf's law, a third of them hidden from
 * most people, and one that is being deleted; pools, one in another order than its own; people who see all, most,
 * little, what is public, and what is theirs, each with favourites.
 */
export async function openOracleLibrary(random: (n: number) => number): Promise<OracleLibrary> {
  const library = await openLibrary()
  const { db } = library.deps
  const people: Person[] = []
  for (const name of ['admin', 'owner', 'friend', 'few', 'nobody']) {
    const isAdmin = name === 'admin'
    people.push({ name, isAdmin, ...(await library.join(name, { is_admin: isAdmin })) })
  }
  const [admin, owner, friend, few] = people as [Person, Person, Person, Person]
  const files = Array.from({ length: FILES }, (_, n) =>
    // Now and then the clock was set back.
    fileSeed(idAt(START + (n - (random(50) === 0 ? 100 : 0)) * HOUR, random(2 ** 30) + n), {
      name:
        random(9) === 0 ? null : `${NAMES[random(NAMES.length)]}${2015 + random(6)}${random(90)}`,
      // Some of them before 1970.
      time: (random(8) === 0 ? Date.UTC(1969, 10, 1) : START) + random(2000) * HOUR,
      type: TYPES[random(TYPES.length)]!,
      owner: [admin, owner, owner][random(3)]!.id,
      isPublic: random(10) < 3,
      trashed: random(12) === 0,
      size: random(5000),
      viewers: [
        ...(random(5) < 2 ? [friend.id] : []),
        ...(random(FILES / 20) === 0 ? [few.id] : []),
      ],
    }),
  )
  insertFiles(db, files)
  const tags = Array.from({ length: TAGS }, (_, n) => idAt(START, n))
  const pools = ['manual', 'created', 'large', 'hidden'].map((_, n) => idAt(START, 1000 + n))
  const categories = ['open', 'hidden'].map((_, n) => idAt(START, 2000 + n))
  write(db, { now: 0 }, () => {
    for (const [n, id] of categories.entries()) {
      insertCategory(db, { id, name: `category ${n}`, owner: owner.id, isPublic: n === 0 })
    }
    for (const [n, id] of tags.entries()) {
      const category = n % 4 > 1 ? { category: categories[n % 2]! } : {}
      insertTag(db, { id, name: `tag ${n}`, owner: owner.id, isPublic: n % 3 > 0, ...category })
      if (n % 6 === 3) allow(db, friend.id, 'tag', id)
    }
    for (const { id } of files) {
      const carried = new Set<string>()
      for (let n = random(8); n > 0; n--)
        carried.add(tags[Math.floor(TAGS ** (random(1000) / 1000)) - 1]!)
      putTags(db, id, [...carried])
    }
    db.run('UPDATE files SET needs_review = rid % 3 = 0')
    db.run('UPDATE files SET content_offset = rid % 5 * 60 - 120 WHERE rid % 4 > 0')
    db.run(`UPDATE files SET date_source = iif(rid % 5 = 0, 'given', 'exif') WHERE rid % 7 > 0`)
    knowInPart(db)
    db.run('UPDATE file_details SET is_damaged = file_rid % 11 = 0')
    db.run(`INSERT INTO file_looks (file_rid, width, height, duration, decoder, is_animated)
      SELECT rid, iif(rid % 9 > 0, 100 + rid % 40, NULL), iif(rid % 9 > 0, 120, NULL),
        iif(rid % 6 = 0, rid % 90 / 4.0, NULL), 'x', iif(rid % 13 = 0, 1, iif(rid % 3 = 0, NULL, 0))
      FROM files WHERE rid % 10 > 0`)
    for (const [n, [notes, folded]] of NOTES.entries()) {
      db.run('UPDATE file_details SET notes = ? WHERE file_rid % 17 = ?', notes, n)
      db.run(
        'INSERT INTO file_notes SELECT file_rid, ? FROM file_details WHERE file_rid % 17 = ?',
        folded,
        n,
      )
    }
    addCaptures(db)
    db.run('UPDATE tags SET is_deleted = 1 WHERE rid = ?', ridOf(db, 'tag', tags[LAST_TAG]!))
    for (const { id } of people) {
      db.run(
        'INSERT INTO favourites SELECT ?, rid, 0 FROM files WHERE rid % ? = 0',
        id,
        5 + 40 * (id % 3),
      )
    }
    for (const [n, id] of pools.entries()) {
      const share = n === 2 ? 2 : 12
      const held = files.filter(() => random(share) === 0).map((file) => file.id)
      const shuffled = held.map((file) => ({ file, by: random(2 ** 30) }))
      shuffled.sort((a, b) => a.by - b.by)
      const seed = { id, name: `pool ${n}`, owner: owner.id, isPublic: n < 3 }
      insertPool(db, { ...seed, files: shuffled.map(({ file }) => file) })
    }
    db.run(
      "UPDATE pools SET sort_key = 'created', sort_order = 'desc' WHERE rid = ?",
      ridOf(db, 'pool', pools[1]!),
    )
  })
  return { library, people, tags, pools, categories, files: files.map(({ id }) => id) }
}

/** Notes, and how they are folded for search. */
const NOTES: [string, string][] = [
  ['We LAUGHED,\nÄrger am See', 'we laughed,\närger am see'],
  ['100 % of it_', '100 % of it_'],
  ['ΟΔΟΣ', 'οδοσ'],
]

/** Towns whose names are alike in part; one has a dot in its name. */
export const TOWNS = [
  'FR.93.Nice',
  'FR.93.Nîmes',
  'FR.9.Nice',
  'FRA.93.Nice',
  'DE.01.St. Peter',
  'GB..Nice',
  null,
]
export const CAMERAS = ['Canon EOS 5D', 'Canon EOS 50D', 'NIKON D70', '%_']
export const CELLS = ['spv0sgr6', 'spv0k8n2', 'spv1s000', 'u4pruydq', 'zzzzzzzz']

/** Most files have a position, and many of these a camera. */
function addCaptures(db: Library['deps']['db']): void {
  for (const name of CAMERAS) db.run('INSERT INTO cameras (name) VALUES (?)', name)
  // Node binds numbers as real ones, which are no index of a list.
  db.run(
    `INSERT INTO file_cameras SELECT rid, 1 + rid * 7 % 11 % ${CAMERAS.length} FROM files WHERE rid % 4 > 0`,
  )
  db.run(
    `INSERT INTO file_positions SELECT rid, ? ->> (rid * 5 % 17 % ${CELLS.length}),
       ? ->> (rid * 3 % 13 % ${TOWNS.length}) FROM files WHERE rid % 3 > 0`,
    JSON.stringify(CELLS),
    JSON.stringify(TOWNS),
  )
}

/** Of some files only a part of the date is known: `content_datetime` is in the middle of it. */
function knowInPart(db: Library['deps']['db']): void {
  const clock = '(content_datetime / 1000 + ifnull(content_offset, 0) * 60)'
  const middles = {
    year: `'start of year', '+6 months', '+1 day', '+12 hours'`,
    month: `'start of month', '+14 days', '+12 hours'`,
    day: `'start of day', '+12 hours'`,
  }
  for (const [n, [precision, middle]] of Object.entries(middles).entries()) {
    db.run(
      `UPDATE files SET date_precision = ?, content_datetime =
         (unixepoch(${clock}, 'unixepoch', ${middle}) - ifnull(content_offset, 0) * 60) * 1000
       WHERE rid % 13 = ?`,
      precision,
      n,
    )
  }
}
