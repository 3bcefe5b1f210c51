import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { User } from '../../src/base/user.ts'
import { write } from '../../src/db/write.ts'
import {
  components,
  type Pair,
  pairsBetween,
  pairsWithin,
  visibleClusters,
} from '../../src/duplicates/clusters.ts'
import { plainClusters, rescanAll, type WorldFile } from '../support/duplicates/clusters.ts'
import { addHashedFiles } from '../support/duplicates/scans.ts'
import { type Library, openLibrary } from '../support/harness.ts'
import { fc } from '../support/property.ts'

const THRESHOLD = 3
/** Up to so many files on each side all pairs are told. */
const TOLD_IN_FULL = 50

// Chains, stars and strangers; the highest bit is the sign.
const HASHES = [0n, 7n, 0x3fn, 1n, 1n << 63n, 0xff00ff00ff00n, 0xff00ff00ff03n, -1n]

/** What happens to a file after the rescan, or before it. */
const fates = fc.record({
  isPublic: fc.boolean(),
  owner: fc.nat(2),
  viewer: fc.option(fc.nat(2)),
  trashed: fc.boolean(),
  replacedBy: fc.option(fc.nat(HASHES.length - 1), { freq: 3 }),
  purged: fc.integer({ min: 0, max: 9 }).map((n) => n === 9),
})

const groups = fc.array(
  fc.record({
    hash: fc.nat(HASHES.length - 1),
    size: fc.oneof(
      { arbitrary: fc.integer({ min: 1, max: 4 }), weight: 5 },
      { arbitrary: fc.integer({ min: 50, max: 56 }), weight: 1 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

const worlds = fc.record({
  groups,
  fates: fc.array(fates, { minLength: 7, maxLength: 7 }),
  dismissals: fc.array(fc.tuple(fc.nat(200), fc.nat(200)), { maxLength: 20 }),
  // Every file of such a remainder is dismissed from every other: large groups fall into two.
  split: fc.option(fc.record({ modulus: fc.integer({ min: 2, max: 40 }), rest: fc.nat(39) })),
})
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never

let library: Library
let users: User[]
before(async () => {
  library = await openLibrary({ DUPLICATE_HASH_THRESHOLD: String(THRESHOLD) })
  users = []
  for (const name of ['root', 'ann', 'ben']) {
    const is_admin = name === 'root'
    const id = await library.addUser(name, { is_admin })
    users.push({ id, name, is_admin, can_create: false })
  }
})
after(() => library.close())

function sees(user: User, { isPublic, owner, viewer }: World['fates'][number]): boolean {
  return user.is_admin || isPublic || users[owner] === user || users[viewer ?? -1] === user
}

/** Compares what each viewer is shown with what the rules say. */
async function check(
  files: (Omit<WorldFile, 'id'> & { id: number; fate: World['fates'][number] })[],
  dismissed: (a: number, b: number) => boolean,
): Promise<void> {
  const sizes = new Map<bigint, number>()
  for (const { hash } of files) sizes.set(hash, (sizes.get(hash) ?? 0) + 1)
  const isToldInFull = [...sizes.values()].every((size) => size <= TOLD_IN_FULL)
  for (const user of users) {
    const seen = files.map((file) => ({
      ...file,
      isVisible: file.isVisible && sees(user, file.fate),
    }))
    const expected = plainClusters(seen, THRESHOLD, dismissed)
    const found = await visibleClusters(library.deps.db, user)
    assert.deepEqual(
      found.map((cluster) => cluster.files),
      expected.map((cluster) => cluster.files),
    )
    found.forEach((cluster, index) => {
      const told = cluster.pairs.map(({ a, b, distance }) => [a, b, distance])
      const all = expected[index]!.pairs
      if (isToldInFull) assert.deepEqual(told, all)
      const known = new Set(all.map(String))
      assert.ok(told.every((pair) => known.has(String(pair))))
      const joined = components(cluster.pairs)
      assert.deepEqual(joined, [cluster.files])
    })
  }
}

/** Makes the world, and looks at it after the rescan and after each change. */
async function live({ groups, fates, dismissals, split }: World): Promise<void> {
  const { db } = library.deps
  for (const table of ['files', 'duplicate_scans']) db.run(`DELETE FROM ${table}`)
  const hashes = groups.flatMap(({ hash, size }) => new Array<bigint>(size).fill(HASHES[hash]!))
  addHashedFiles(db, hashes)
  const { first } = db.get<{ first: number }>('SELECT min(rid) AS first FROM files')!
  const files = hashes.map((hash, index) => {
    // Different for files that have the same number within groups of one size.
    const fate = fates[(index * 5 + (index >> 3)) % fates.length]!
    return { id: first + index, hash: BigInt.asIntN(64, hash), isVisible: true, fate }
  })
  for (const { id, fate } of files) {
    const owner = users[fate.owner]!.id
    const isPublic = Number(fate.isPublic)
    db.run('UPDATE files SET creator_id = ?, is_public = ? WHERE rid = ?', owner, isPublic, id)
    if (fate.viewer !== null) {
      db.run(
        "INSERT INTO acl (user_id, object_type, object_rid, can_view, can_edit) VALUES (?, 'file', ?, 1, 0)",
        users[fate.viewer]!.id,
        id,
      )
    }
  }
  await rescanAll(library)
  await check(files, () => false)

  const key = (a: number, b: number) => Math.min(a, b) * files.length + Math.max(a, b)
  const pairs = new Set<number>()
  const dismiss = (a: number, b: number) => {
    if (a !== b) pairs.add(key(a, b))
  }
  for (const [a, b] of dismissals) dismiss(a % files.length, b % files.length)
  const isApart = (index: number) =>
    split !== null && index % split.modulus === split.rest % split.modulus
  const places = [...files.keys()]
  for (const a of places.filter(isApart)) {
    for (const b of places) if (!isApart(b)) dismiss(a, b)
  }
  write(db, { now: 0 }, () => {
    for (const pair of pairs) {
      const [a, b] = [Math.floor(pair / files.length), pair % files.length]
      db.run('INSERT INTO duplicate_dismissals VALUES (?, ?)', first + a, first + b)
    }
  })
  const dismissed = (a: number, b: number) => pairs.has(key(a, b))
  await check(files, dismissed)

  write(db, { now: 0 }, () => {
    for (const file of files) {
      const { trashed, replacedBy, purged } = file.fate
      if (trashed) db.run('UPDATE files SET is_deleted = 1 WHERE rid = ?', file.id)
      if (replacedBy !== null) {
        const hash = String(BigInt.asIntN(64, HASHES[replacedBy]!))
        db.run('UPDATE files SET phash = CAST(? AS INTEGER) WHERE rid = ?', hash, file.id)
      }
      if (purged) db.run('DELETE FROM files WHERE rid = ?', file.id)
      const isReplaced = replacedBy !== null && BigInt.asIntN(64, HASHES[replacedBy]!) !== file.hash
      file.isVisible = !trashed && !purged && !isReplaced
    }
  })
  await check(files, dismissed)
}

describe('clusters', () => {
  it('are the connected parts of what a viewer sees and nobody dismissed, in any library', async () => {
    await fc.assert(fc.asyncProperty(worlds, live), { numRuns: 25 })
  })
})

describe('the pairs that join large groups', () => {
  const side = fc.integer({ min: 1, max: 60 })
  const dismissals = fc.record({
    density: fc.constantFrom(0, 1, 50, 90, 97),
    seed: fc.nat(1000),
  })

  it('join exactly what all pairs would join, and are few', () => {
    fc.assert(
      fc.property(side, side, fc.boolean(), dismissals, (left, right, isOneGroup, by) => {
        const dismissed = (a: number, b: number) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)]
          return (
            (Math.imul(low * 1009 + high * 9176 + by.seed, 2654435761) >>> 16) % 100 < by.density
          )
        }
        const a = Array.from({ length: left }, (_, index) => index)
        const b = Array.from({ length: right }, (_, index) => 100 + index)
        const all = (isOneGroup ? a.flatMap((x) => a.map((y) => [x, y])) : [])
          .concat(isOneGroup ? [] : a.flatMap((x) => b.map((y) => [x, y])))
          .filter(([x, y]) => x! < y! && !dismissed(x!, y!)) as Pair[]
        const told = isOneGroup ? pairsWithin(a, dismissed) : pairsBetween(a, b, dismissed)
        const parts = (pairs: Pair[]) => components(pairs.map(([a, b]) => ({ a, b })))
        assert.deepEqual(parts(told), parts(all))
        const isLarge = left > TOLD_IN_FULL || (!isOneGroup && right > TOLD_IN_FULL)
        const files = isOneGroup ? left : left + right
        assert.ok(isLarge ? told.length < files : told.length === all.length)
      }),
    )
  })
})
