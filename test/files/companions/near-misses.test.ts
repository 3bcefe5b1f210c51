import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { User } from '../../../src/base/user.ts'
import { write } from '../../../src/db/write.ts'
import { pairFile } from '../../../src/files/companions/pairing.ts'
import type { Content } from '../../../src/files/queries.ts'
import { createFile } from '../../../src/files/upload.ts'
import type { FileDate } from '../../../src/media/dates.ts'
import { nothingSaid } from '../../../src/media/description.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { SEED } from '../../support/property.ts'

const MISSES = 1000
const PAIRS = 200

let library: Library
let people: [ann: User, bob: User]
before(async () => {
  library = await openLibrary()
  const user = async (name: string) => ({
    id: (await library.join(name, { can_create: true })).id,
    name,
    is_admin: false,
    can_create: true,
  })
  people = [await user('Ann'), await user('Bob')]
})
after(() => library.close())

const random = randomNumbers(SEED)
const one = <T>(values: readonly T[]): T => values[random(values.length)]!

/** A picture or its film, before it comes. */
interface Half {
  kind: 'picture' | 'film'
  stem: string
  by: 0 | 1
  date: FileDate
  exif: Record<string, unknown>
  folder: string
}

/** A shot: its two files in the order in which they come, and what is done between the two. */
interface Shot {
  first: Half
  second: Half
  isImport: boolean
  /** Whether the second comes with `pair`; an import needs none. */
  asks: boolean
  isTrashed: boolean
  isTaken: boolean
  /** How many files are like the first. */
  copies: number
}

const TAKEN = Date.UTC(2021, 5, 6, 7, 8, 9)
const SOURCES = ['exif', 'xmp', 'gps', 'video', 'name', 'given'] as const

/** Returns the two files of a true pair, which Apple has marked or not. */
function truePair(number: number, isMarked: boolean): Shot {
  const time = TAKEN + number * 60_000
  const date = (apart: number): FileDate => ({
    content_datetime: time + apart,
    content_offset: one([null, 0, 120]),
    date_source: one(SOURCES),
    date_precision: null,
  })
  const [make, model] = [one(['Apple', 'samsung']), one(['X', 'Y'])]
  const says = () => ({
    ...(random(3) > 0 && { Make: make }),
    ...(random(3) > 0 && { Model: model }),
  })
  const marks = isMarked
    ? [1, 1]
    : one([
        [0, 0],
        [1, 0],
        [0, 1],
      ])
  const mark = (has: number) => (has === 1 ? { ContentIdentifier: `shot-${number}` } : {})
  const half = (kind: Half['kind'], has: number, apart: number): Half => ({
    kind,
    stem: one(['IMG', 'img']) + number,
    by: 0,
    date: date(apart),
    exif: { ...says(), ...mark(has), ...(kind === 'film' && { duration: one([0.5, 2.9, 5]) }) },
    folder: 'a',
  })
  const halves = [
    half('picture', marks[0]!, 0),
    half('film', marks[1]!, one([-3000, -1, 0, 1, 3000])),
  ]
  const [first, second] = random(2) === 0 ? halves : halves.reverse()
  const isImport = random(2) === 0
  return {
    first: first!,
    second: second!,
    isImport,
    asks: !isImport,
    isTrashed: false,
    isTaken: false,
    copies: 1,
  }
}

const filmOf = ({ first, second }: Shot) => (first.kind === 'film' ? first : second)
const either = (shot: Shot) => one([shot.first, shot.second])

/** What makes a shot no pair, whatever its contents say. */
const ALWAYS: Record<string, (shot: Shot) => void> = {
  'another creator': (shot) => {
    either(shot).by = 1
  },
  'no word that it is one': (shot) => {
    shot.isImport = shot.asks = false
  },
  'another identifier': ({ first, second }) => {
    first.exif.ContentIdentifier = `first of ${first.stem}`
    second.exif.ContentIdentifier = `second of ${second.stem}`
  },
  'in the trash': (shot) => {
    shot.isTrashed = true
  },
  'in a pair': (shot) => {
    shot.isTaken = true
  },
  'two of them': (shot) => {
    shot.copies = 2
  },
  'two pictures or films': ({ first, second }) => {
    second.kind = first.kind
  },
}
/** What makes a shot no pair whose contents don't name each other. */
const UNMARKED: typeof ALWAYS = {
  'another stem': (shot) => {
    either(shot).stem += one(['_', ' (1)', '.x'])
  },
  'more than 3 s': ({ first, second }) => {
    const far = one([3001, 4000, 7_200_000, 86_400_000])
    first.date.content_datetime = second.date.content_datetime + one([far, -far])
  },
  'a longer film': (shot) => {
    filmOf(shot).exif.duration = one([5.001, 6, 60])
  },
  'an unknown length': (shot) => {
    delete filmOf(shot).exif.duration
  },
  'another make': ({ first, second }) => {
    first.exif.Make = 'Canon'
    second.exif.Make = 'NIKON'
  },
  'another model': ({ first, second }) => {
    first.exif.Model = 'X'
    second.exif.Model = 'X Pro'
  },
  'dated beside the content': (shot) => {
    either(shot).date.date_source = one(['upload', 'mtime'])
  },
  'dated in part': (shot) => {
    either(shot).date.date_precision = one(['day', 'month', 'year'])
  },
  'another folder': (shot) => {
    shot.isImport = true
    either(shot).folder = 'b'
  },
}

/** Returns the rid of a file that has come, which pairs if it may. */
function bring(
  { kind, stem, by, date, exif, folder }: Half,
  how: Pick<Shot, 'isImport' | 'asks'>,
): number {
  const { deps } = library
  const isFilm = kind === 'film'
  const type = isFilm
    ? one([
        ['video/quicktime', 'mov'],
        ['video/mp4', 'mp4'],
      ])
    : ['image/heic', 'heic']
  const content: Content = {
    blob: randomBytes(16).toString('hex'),
    size: 1,
    sha256: randomBytes(32),
    mime_type: type[0]!,
    mime_extension: type[1]!,
    later: null,
    derivatives: {
      exif,
      dates: { date: null, late: [] },
      description: nothingSaid(),
      phash: null,
      finer: null,
      looks: null,
      state: 'failed',
      is_damaged: false,
      decoder_version: 'none',
    },
  }
  const user = people[by]
  return write(deps.db, { now: deps.clock() }, (tx) => {
    const original_name = `${stem}.${type[1]}`
    const { rid } = createFile(tx, user, content, { original_name, date, late: [] })
    if (how.isImport) pairFile(tx, user, rid, (other) => folders.get(other) === folder)
    else if (how.asks) pairFile(tx, user, rid)
    folders.set(rid, folder)
    return rid
  })
}

const folders = new Map<number, string>()

/** Brings the files of a shot and returns whether the second one is in a pair. */
function comes(shot: Shot): boolean {
  const { db } = library.deps
  const way = { isImport: shot.isImport, asks: shot.asks }
  for (let copy = 0; copy < shot.copies; copy++) {
    // Only the second one asks, so that whoever came first is alone.
    const rid = bring(shot.first, { isImport: false, asks: false })
    if (shot.isTrashed) db.run('UPDATE files SET is_deleted = 1 WHERE rid = ?', rid)
    if (!shot.isTaken) continue
    const kind = shot.first.kind === 'film' ? 'picture' : 'film'
    const mate = bring(
      { ...shot.first, kind, stem: 'mate', exif: {} },
      { isImport: false, asks: false },
    )
    const pair = kind === 'film' ? [mate, rid] : [rid, mate]
    db.run('INSERT INTO companions (film_rid, picture_rid) VALUES (?, ?)', ...pair)
  }
  const rid = bring(shot.second, way)
  const pair = 'SELECT count(*) AS pairs FROM companions WHERE film_rid = ? OR picture_rid = ?'
  return db.get<{ pairs: number }>(pair, rid, rid)!.pairs === 1
}

describe('a picture and a film', () => {
  it('are one in each of these true pairs', () => {
    for (let number = 0; number < PAIRS; number++) {
      const isMarked = random(2) === 0
      const shot = truePair(number, isMarked)
      // What their contents say is enough.
      if (isMarked) one(Object.values(UNMARKED))(shot)
      assert.equal(comes(shot), true, JSON.stringify(shot))
    }
  })

  it('are two in each of 1,000 near misses', () => {
    const seen = new Set<string>()
    for (let number = PAIRS; number < PAIRS + MISSES; number++) {
      const isMarked = random(3) === 0
      const shot = truePair(number, isMarked)
      const reasons = isMarked ? ALWAYS : { ...ALWAYS, ...UNMARKED }
      const names = [
        ...new Set(Array.from({ length: 1 + random(2) }, () => one(Object.keys(reasons)))),
      ]
      for (const name of names) {
        reasons[name]!(shot)
        seen.add(name)
      }
      assert.equal(comes(shot), false, JSON.stringify({ names, shot }))
    }
    assert.equal(seen.size, Object.keys({ ...ALWAYS, ...UNMARKED }).length)
  })

  it('are one where several have its identifier, if one of these has its name', () => {
    const { first, second } = truePair(PAIRS + MISSES, true)
    const other = { ...first, stem: 'other' }
    const rids = [first, other].map((half) => bring(half, { isImport: false, asks: false }))
    const rid = bring(second, { isImport: false, asks: true })
    const pair = second.kind === 'film' ? [rid, rids[0]] : [rids[0], rid]
    const rows = library.deps.db.all(
      'SELECT * FROM companions WHERE ? IN (film_rid, picture_rid)',
      rid,
    )
    assert.deepEqual(rows, [{ film_rid: pair[0], picture_rid: pair[1] }])
    const shot = truePair(PAIRS + MISSES + 1, true)
    bring({ ...shot.first, stem: 'one' }, { isImport: false, asks: false })
    shot.first.stem = 'other'
    assert.equal(comes(shot), false)
  })
})
