import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { User } from '../../src/base/user.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { uuidToBlob } from '../../src/db/columns.ts'
import { fold } from '../../src/db/text.ts'
import { emptyLog } from '../../src/db/upkeep.ts'
import { write } from '../../src/db/write.ts'
import { adoptStore } from '../../src/files/content/store-marker.ts'
import { addLooks, exifOf } from './library-looks.ts'

/** What a made-up library is like; the same seed makes the same library. */
export interface Shape {
  files: number
  seed?: number
  /** The share of the files that everybody sees. */
  publicShare?: number
  /** The number of further tags, each on 10 to 20 % of the files. */
  frequentTags?: number
  /** Whether it is known how the files look; three of ten are then taken on one day. */
  looks?: boolean
}

export interface MadeTag {
  rid: number
  id: string
  files: number
}

export interface Made {
  /** An admin; Ann, who created most; Ben, who created little; Cat, who created nothing. */
  users: { root: User; ann: User; ben: User; cat: User }
  /** The tags that everybody sees, the most frequent first; the last is on no file. */
  tags: MadeTag[]
  frequent: MadeTag[]
  /** A tag that only Ann and admins see, carried by many files. */
  hidden: MadeTag
}

const TAGS = 2000
const TAGS_PER_FILE = 4.7
const START = Date.UTC(2020, 0, 1)
const USERS = { root: 1, ann: 2, ben: 3, cat: 4 }

/** Fills an empty database with a library of users, tags and files, without their contents. */
export function fillLibrary(db: Db, shape: Shape): Made {
  const random = generator(shape.seed ?? 1)
  return write(db, { now: 0 }, () => {
    // Counting row by row takes longer than counting at the end.
    const trigger = db.get<{ sql: string }>(
      "SELECT sql FROM sqlite_schema WHERE name = 'file_tags_insert'",
    )!
    db.run('DROP TRIGGER file_tags_insert')
    const users = addUsers(db)
    addTags(db, TAGS + (shape.frequentTags ?? 0), random)
    for (let rid = 1; rid <= shape.files; rid++) addFile(db, rid, shape, random)
    tagFiles(db, shape, random)
    db.run(trigger.sql)
    if (shape.looks) addLooks(db)
    const tags = db.all<{ rid: number; id: string; files: number; is_public: number }>(
      `SELECT rid, ${UUID_TEXT} AS id, file_count AS files, is_public
       FROM tags ORDER BY file_count DESC, rid`,
    )
    return {
      users,
      tags: tags.filter((tag) => tag.rid <= TAGS && tag.is_public === 1),
      frequent: tags.filter((tag) => tag.rid > TAGS),
      hidden: tags.find((tag) => tag.is_public === 0)!,
    }
  })
}

/**
 * Makes a library of the shape in a temporary data folder; `reopen` opens it with cold caches. With
 * BENCH_KEEP, a folder, each shape is made once and kept there, and this is a copy of it.
 */
export function makeLibrary(shape: Shape) {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-bench-'))
  const path = join(folder, 'tagstead.sqlite')
  const keep = process.env.BENCH_KEEP
  const made = keep ? copyKept(shape, keep, path) : makeAt(path, shape)
  const db = openDatabase(path, { migrations: 'drizzle' })
  // There are no contents.
  void adoptStore(db, { dataDir: folder, store: null })
  db.close()
  return {
    ...made,
    folder,
    path,
    reopen: () => openDatabase(path, { migrations: 'drizzle' }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function makeAt(path: string, shape: Shape): Made {
  const db = openDatabase(path, { migrations: 'drizzle' })
  const made = fillLibrary(db, shape)
  db.run('ANALYZE')
  emptyLog(db)
  db.close()
  return made
}

function copyKept(shape: Shape, keep: string, path: string): Made {
  mkdirSync(keep, { recursive: true })
  const kept = join(keep, JSON.stringify(shape).replaceAll(/[^\w.]+/g, '-'))
  const [database, told] = [`${kept}.sqlite`, `${kept}.json`]
  if (!existsSync(told)) {
    rmSync(database, { force: true })
    const made = makeAt(`${database}.new`, shape)
    renameSync(`${database}.new`, database)
    writeFileSync(told, JSON.stringify(made))
  }
  copyFileSync(database, path, constants.COPYFILE_FICLONE)
  return JSON.parse(readFileSync(told, 'utf8'))
}

const UUID_TEXT =
  "lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21))"

function addUsers(db: Db): Made['users'] {
  const add = (name: string, id: number): User => {
    const is_admin = name === 'root'
    db.run(
      "INSERT INTO users (id, name, password_hash, is_admin, can_create, is_blocked) VALUES (?, ?, '', ?, 1, 0)",
      id,
      name,
      Number(is_admin),
    )
    return { id, name, is_admin, can_create: true }
  }
  return {
    root: add('root', USERS.root),
    ann: add('ann', USERS.ann),
    ben: add('ben', USERS.ben),
    cat: add('cat', USERS.cat),
  }
}

/** Adds tags, two thirds of them created by Ann, of which more than half are private. */
function addTags(db: Db, count: number, random: () => number): void {
  for (let rid = 1; rid <= count; rid++) {
    const owner = rid % 3 === 0 ? USERS.ben : USERS.ann
    db.run(
      'INSERT INTO tags (rid, id, name, name_key, color, creator_id, is_public) VALUES (?, ?, ?, ?, ?, ?, ?)',
      rid,
      uuidToBlob(uuid(START - 1e6 + rid, random)),
      `tag ${rid}`,
      `tag ${rid}`,
      'a1b2c3',
      owner,
      Number(rid === TAGS || owner === USERS.ben || random() < 0.45),
    )
  }
}

function addFile(db: Db, rid: number, shape: Shape, random: () => number): void {
  const taken = START - random() * 15 * 365 * 86_400_000
  const owner = random() < 0.75 ? USERS.ann : random() < 0.8 ? USERS.ben : USERS.root
  const kind = random()
  const [mime, extension] =
    kind < 0.8
      ? ['image/jpeg', 'jpg']
      : kind < 0.88
        ? ['image/png', 'png']
        : kind < 0.94
          ? ['image/heic', 'heic']
          : ['video/mp4', 'mp4']
  const name = random() < 0.02 ? null : nameOf(taken, rid, extension!, random)
  db.run(
    `INSERT INTO files (rid, id, original_name, name_key, mime_type, mime_extension, content_datetime,
     phash, creator_id, is_public, is_deleted, needs_review) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    rid,
    uuidToBlob(uuid(START + rid * 1000, random)),
    name,
    fold(name ?? ''),
    mime!,
    extension!,
    Math.floor(taken),
    Math.floor(random() * 2 ** 53),
    owner,
    Number(random() < (shape.publicShare ?? 0.3)),
    Number(random() < 0.02),
    // The files that were uploaded last have not been reviewed yet.
    Number(rid > shape.files * 0.97),
  )
  db.run(
    `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
     VALUES (?, ?, 2900000, unhex(printf('%064x', ?)), ?, 'made', ?)`,
    rid,
    rid.toString(16).padStart(32, '0'),
    rid,
    START,
    exifOf(taken, random),
  )
  if ((shape.publicShare ?? 0.3) > 0 && random() < 0.05) {
    db.run(
      "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (?, 'file', ?, 1, 0)",
      USERS.ben,
      rid,
    )
  }
}

function nameOf(taken: number, rid: number, extension: string, random: () => number): string {
  const day = new Date(taken).toISOString().slice(0, 10).replaceAll('-', '')
  const style = random()
  if (style < 0.5) return `IMG_${day}_${String(rid).padStart(6, '0')}.${extension}`
  if (style < 0.8) return `PXL_${day}_${Math.floor(random() * 1e9)}.${extension}`
  if (style < 0.99) return `DSC${String(Math.floor(random() * 1e5)).padStart(5, '0')}.JPG`
  return `Sunset at the Søndergård ${rid}.${extension}`
}

/** Puts tags on files by Zipf's law: a tag's rank times its frequency is constant. */
function tagFiles(db: Db, { files, frequentTags = 0 }: Shape, random: () => number): void {
  const weights: number[] = []
  let sum = 0
  // The last tag stays without files.
  for (let rank = 1; rank < TAGS; rank++) {
    sum += 1 / rank
    weights.push(sum)
  }
  const byWeight = (at: number) => {
    let low = 0
    for (let high = weights.length - 1; low < high; ) {
      const middle = (low + high) >>> 1
      if (weights[middle]! < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
  const shares = Array.from({ length: frequentTags }, () => 0.1 + random() * 0.1)
  let pairs: [number, number][] = []
  for (let rid = 1; rid <= files; rid++) {
    const tags = new Set<number>()
    const count = Math.round(random() * 2 * TAGS_PER_FILE)
    while (tags.size < count) tags.add(byWeight(random() * sum))
    for (const [index, share] of shares.entries()) {
      if (random() < share) tags.add(TAGS + 1 + index)
    }
    for (const tag of tags) pairs.push([rid, tag])
    if (pairs.length < 5000 && rid < files) continue
    db.run(
      'INSERT INTO file_tags (file_rid, tag_rid) SELECT value ->> 0, value ->> 1 FROM json_each(?)',
      JSON.stringify(pairs),
    )
    pairs = []
  }
  db.run('UPDATE files SET tag_count = (SELECT count(*) FROM file_tags WHERE file_rid = rid)')
  db.run('UPDATE tags SET file_count = (SELECT count(*) FROM file_tags WHERE tag_rid = rid)')
}

function uuid(time: number, random: () => number): string {
  const head = Math.floor(time).toString(16).padStart(12, '0')
  const part = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${head.slice(0, 8)}-${head.slice(8)}-7${part(3)}-8${part(3)}-${part(12)}`
}

/** Returns a function that gives numbers from 0 to 1, the same for the same seed (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
