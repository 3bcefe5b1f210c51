import type { Db } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import { type FileSeed, fileSeed, idAt, insertFiles, writeContent } from './file-rows.ts'
import { type Library, openLibrary } from './harness.ts'
import {
  allow,
  insertCategory,
  insertPool,
  insertRule,
  insertTag,
  putTags,
  ridOf,
} from './object-rows.ts'

// The same library twice: once with what Olga keeps to herself, and once without. Eight callers ask both the
// same, naming what they must not know too, and may not be able to tell which is which.

const id = (n: number) => idAt(Date.UTC(2026, 0, 1), n)
export const OWN_CATEGORY = id(0x11)
export const PUBLIC_CATEGORY = id(0x12)
export const SECRET_CATEGORY = id(0x13)
export const OWN_TAG = id(0x21)
export const PUBLIC_TAG = id(0x22)
export const GRANTED_TAG = id(0x23)
export const SECRET_TAG = id(0x24)
/** Olga's with an entry for Vera that gives no right. */
export const DENIED_TAG = id(0x25)
export const NONE = '00000000-0000-0000-0000-000000000000'
export const OWN_POOL = id(0x31)
export const PUBLIC_POOL = id(0x32)
export const SECRET_POOL = id(0x33)
/** Olga's, which shares with Vera what Vera may see in it. */
export const SHARED_POOL = id(0x34)
/** Olga's, which shares with somebody else alone, or with an entry for Vera that gives no right. */
const OTHERS_POOL = id(0x35)
export const DENIED_POOL = id(0x36)
/** Pools that fill themselves: Vera's, Olga's public one, and one of Olga's that Vera may edit. */
export const OWN_SMART = id(0x37)
const PUBLIC_SMART = id(0x38)
const EDITED_SMART = id(0x39)
export const SECRET_SMART = id(0x3a)
/** Vera's, which the filter of a secret pool names. */
export const EMPTY_POOL = id(0x3b)
export const SMART_POOLS = [OWN_SMART, PUBLIC_SMART, EDITED_SMART]
export const POOLS = [OWN_POOL, PUBLIC_POOL, SHARED_POOL]
export const TAGS = [OWN_TAG, PUBLIC_TAG, GRANTED_TAG]
export const SECRET_TAGS = [SECRET_TAG, DENIED_TAG]

// Every other file is secret, so that secrets stand at the start, in the middle and at the end.
export const FILES = Array.from({ length: 17 }, (_, n) => id(0x41 + n))
const isSecret = (file: string) => FILES.indexOf(file) % 2 === 0
export const SEEN = FILES.filter((file) => !isSecret(file))
export const SECRET = FILES.filter(isSecret)
/** Those that Vera sees through a pool, the first by hand as well. */
export const SHARED = SEEN.filter((file) => FILES.indexOf(file) % 8 === 7)

/** Who may see nothing of what Olga keeps to herself, each by other rights. */
export const OTHERS = [
  'nobody',
  'viewer',
  'editor',
  'tagger',
  'keeper',
  'guest',
  'refused',
] as const
type Other = (typeof OTHERS)[number]
export type Caller = 'vera' | 'admin' | Other

/** The library, and the tokens of its callers. */
export type World = { library: Library } & Record<Caller, string>

export async function openWorld(hasSecrets: boolean): Promise<World> {
  const library = await openLibrary()
  const { db } = library.deps
  const admin = await library.join('admin', { is_admin: true })
  const olga = await library.join('olga', { can_create: true })
  const vera = await library.join('vera', { can_create: true })
  const other = await library.join('other')
  const ids = {} as Record<Other, number>
  const tokens = {} as Record<Other, string>
  for (const name of OTHERS) ({ id: ids[name], token: tokens[name] } = await library.join(name))
  const files = hasSecrets ? FILES : SEEN
  insertFiles(
    db,
    files.map((file) => seedOf(file, olga.id, vera.id)),
  )
  for (const file of files) writeContent(library, file, contentOf(file))
  write(db, { now: 0 }, () => {
    addTags(library, olga.id, vera.id)
    for (const file of files) putTags(db, file, tagsOf(file))
    db.run('INSERT INTO duplicate_scans VALUES (1, 8, 0, 0, 1, 1, 0)')
    for (const file of files) {
      const rid = ridOf(db, 'file', file)
      const set = 'UPDATE files SET needs_review = ?, phash = ? WHERE rid = ?'
      db.run(set, reviewOf(file), hashOf(file), rid)
      db.run('INSERT INTO duplicate_members VALUES (1, ?, ?, ?)', rid, hashOf(file), hashOf(file))
      db.run("INSERT INTO file_notes VALUES (?, 'the same')", rid)
      const n = FILES.indexOf(file)
      addCapture(db, rid, n)
      const look =
        "INSERT INTO file_looks (file_rid, width, height, decoder) VALUES (?, ?, 2, 'none')"
      db.run(look, rid, 1 + (n % 3))
    }
    insertRule(db, PUBLIC_TAG, OWN_TAG)
    insertPool(db, { id: OWN_POOL, name: 'own pool', owner: vera.id, files })
    insertPool(db, { id: PUBLIC_POOL, name: 'pool', owner: olga.id, isPublic: true, files })
    insertPool(db, { id: SHARED_POOL, name: 'shared pool', owner: olga.id, files })
    allow(db, vera.id, 'pool', SHARED_POOL)
    sharePool(db, SHARED_POOL, vera.id, SHARED)
    insertPool(db, { id: EMPTY_POOL, name: 'empty pool', owner: vera.id, files: [] })
    const smart = { files: [], name: 'smart pool' }
    insertPool(db, { ...smart, id: OWN_SMART, owner: vera.id })
    insertPool(db, { ...smart, id: PUBLIC_SMART, owner: olga.id, isPublic: true })
    insertPool(db, { ...smart, id: EDITED_SMART, owner: olga.id })
    allow(db, vera.id, 'pool', EDITED_SMART, 'edit')
    const names = `{t=${SECRET_TAG},|,!,(,c=${SECRET_CATEGORY},|,p=${SECRET_POOL},),&,m~image/%}`
    for (const pool of SMART_POOLS) fill(db, pool, names)
    addRights(db, ids)
    if (hasSecrets) {
      addSecrets(library, olga.id, vera.id)
      addSecretSharing(library, { olga: olga.id, vera: vera.id, other: other.id })
      refuse(db, ids.refused)
    }
  })
  return { library, vera: vera.token, admin: admin.token, ...tokens }
}

/** Vera's own, public ones and shared ones in turn, all alike in their names, times and types. */
export function seedOf(file: string, olga: number, vera: number): FileSeed {
  const n = FILES.indexOf(file)
  return fileSeed(file, {
    name: `picture ${n % 5}.jpg`,
    time: Date.UTC(2020, 1, 1 + (n % 4)),
    type: n % 3 === 0 ? 'image/png' : 'image/jpeg',
    owner: !isSecret(file) && n % 4 === 1 ? vera : olga,
    isPublic: !isSecret(file) && n % 8 === 3,
    viewers: file === SHARED[0] ? [vera] : [],
    trashed: n % 7 === 5 || n === 8,
    size: contentOf(file).length,
  })
}

/** Towns and cameras, some of which only secret files have. */
function addCapture(db: Db, rid: number, n: number): void {
  const [geohash, town] = n % 4 < 2 ? ['spv0sgr6', 'FR.93.Nice'] : ['u33db0n2', 'DE.16.Berlin']
  const name = n % 4 === 0 ? 'Leica M3' : 'Canon EOS 5D'
  if (n % 3 > 0) db.run('INSERT INTO file_positions VALUES (?, ?, ?)', rid, geohash, town)
  db.run('INSERT OR IGNORE INTO cameras (name) VALUES (?)', name)
  db.run('INSERT INTO file_cameras SELECT ?, rid FROM cameras WHERE name = ?', rid, name)
}

const contentOf = (file: string) => Buffer.from(`content ${file}`)

function tagsOf(file: string): string[] {
  const n = FILES.indexOf(file)
  return [TAGS[n % 3]!, PUBLIC_TAG]
    .slice(n % 5 === 3 ? 2 : 0)
    .filter((tag, i, all) => all.indexOf(tag) === i)
}

export function reviewOf(file: string): number {
  return Number(FILES.indexOf(file) % 3 > 0)
}

/** Clusters of a secret one and another, and then one of several of both. */
function hashOf(file: string): number {
  const n = FILES.indexOf(file)
  return n < 8 ? n >> 1 : 100
}

function addTags({ deps: { db } }: Library, olga: number, vera: number): void {
  insertCategory(db, { id: OWN_CATEGORY, name: 'm own', owner: vera })
  insertCategory(db, { id: PUBLIC_CATEGORY, name: 'b public', owner: olga, isPublic: true })
  insertTag(db, { id: OWN_TAG, name: 'own tag', owner: vera, category: OWN_CATEGORY })
  insertTag(db, { id: PUBLIC_TAG, name: 'b tag', owner: olga, isPublic: true })
  insertTag(db, { id: GRANTED_TAG, name: 'z tag', owner: olga, category: PUBLIC_CATEGORY })
  allow(db, vera, 'tag', GRANTED_TAG)
}

/** A secret category of a tag that is not, secret tags on all files, rules to them, and a pool. */
function addSecrets({ deps: { db } }: Library, olga: number, vera: number): void {
  insertCategory(db, { id: SECRET_CATEGORY, name: 'f secret', owner: olga })
  const category = ridOf(db, 'category', SECRET_CATEGORY)
  db.run('UPDATE tags SET category_rid = ? WHERE rid = ?', category, ridOf(db, 'tag', PUBLIC_TAG))
  for (const [n, tag] of SECRET_TAGS.entries()) {
    insertTag(db, { id: tag, name: `d secret tag ${n}`, owner: olga, category: OWN_CATEGORY })
    insertRule(db, PUBLIC_TAG, tag)
    insertRule(db, OWN_TAG, tag)
  }
  insertRule(db, SECRET_TAG, DENIED_TAG)
  allow(db, vera, 'tag', DENIED_TAG, 'none')
  allow(db, vera, 'file', SECRET[1]!, 'none')
  for (const file of FILES) putTags(db, file, SECRET_TAGS)
  insertPool(db, { id: SECRET_POOL, name: 'secret pool', owner: olga, files: FILES })
  insertPool(db, { id: SECRET_SMART, name: 'secret smart pool', owner: olga, files: [] })
  fill(db, SECRET_SMART, `{t=${PUBLIC_TAG},|,p=${EMPTY_POOL},|,!,p=${OWN_POOL}}`)
}

/** Gives each of the others what they may see: files, tags, a category, pools. */
function addRights(db: Db, ids: Record<Other, number>): void {
  for (const file of SEEN.slice(0, 3)) allow(db, ids.viewer, 'file', file)
  const ofOlga = SEEN.filter((_, n) => n % 2 === 1)
  for (const file of ofOlga) allow(db, ids.editor, 'file', file, 'edit')
  for (const tag of TAGS.slice(1)) allow(db, ids.tagger, 'tag', tag, 'edit')
  allow(db, ids.tagger, 'category', OWN_CATEGORY)
  allow(db, ids.keeper, 'pool', EDITED_SMART, 'edit')
  allow(db, ids.keeper, 'pool', OWN_POOL, 'edit')
  allow(db, ids.guest, 'pool', SHARED_POOL)
  sharePool(db, SHARED_POOL, ids.guest, SHARED)
  allow(db, ids.refused, 'file', SEEN[4]!)
}

/** Adds entries for secrets that give no right. */
function refuse(db: Db, user: number): void {
  for (const file of SECRET) allow(db, user, 'file', file, 'none')
  for (const tag of SECRET_TAGS) allow(db, user, 'tag', tag, 'none')
  allow(db, user, 'category', SECRET_CATEGORY, 'none')
  for (const pool of [SECRET_POOL, SECRET_SMART, DENIED_POOL]) allow(db, user, 'pool', pool, 'none')
}

/** Lets a pool fill itself. */
function fill(db: Db, pool: string, filter: string): void {
  const set = "UPDATE pools SET sort_key = 'content_datetime', filter = ? WHERE rid = ?"
  db.run(set, filter, ridOf(db, 'pool', pool))
}

/** Shares files of a pool with a user, as a change of its list would have done. */
function sharePool(db: Db, pool: string, user: number, files: string[]): void {
  const rid = ridOf(db, 'pool', pool)
  db.run('UPDATE pools SET shares_files = 1 WHERE rid = ?', rid)
  for (const file of files) {
    db.run(
      `INSERT INTO acl (user_id, object_type, object_rid, pool_rid, can_view, can_edit, granted_at)
       VALUES (?, 'file', ?, ?, 1, 0, 1)`,
      user,
      ridOf(db, 'file', file),
      rid,
    )
  }
}

/** Pools that share secret files, and those that Vera sees, with others; none of it with Vera. */
function addSecretSharing(
  { deps: { db } }: Library,
  { olga, vera, other }: { olga: number; vera: number; other: number },
): void {
  insertPool(db, { id: OTHERS_POOL, name: 'others pool', owner: olga, files: FILES })
  insertPool(db, { id: DENIED_POOL, name: 'denied pool', owner: olga, files: FILES })
  allow(db, vera, 'pool', DENIED_POOL, 'none')
  // Whom Vera's own files reach is hers to know.
  const own = db.all<{ rid: number }>('SELECT rid FROM files WHERE creator_id = ?', vera)
  const rids = new Set(own.map(({ rid }) => rid))
  const others = FILES.filter((file) => !rids.has(ridOf(db, 'file', file)))
  for (const pool of [SHARED_POOL, OTHERS_POOL, DENIED_POOL]) {
    allow(db, other, 'pool', pool)
    sharePool(db, pool, other, others)
  }
}
