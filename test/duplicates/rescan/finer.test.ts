import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { runBackground } from '../../../src/background/run.ts'
import type { User } from '../../../src/base/user.ts'
import { write } from '../../../src/db/write.ts'
import { visibleClusters } from '../../../src/duplicates/clusters.ts'
import { FAR, NEAR } from '../../../src/duplicates/rescan/finer-hashes.ts'
import { rescanAll } from '../../support/duplicates/clusters.ts'
import { type Finer, keepFiner, randomFiner, turned } from '../../support/duplicates/finer.ts'
import { slowDistance } from '../../support/duplicates/hashes.ts'
import { addHashedFiles, storedScan } from '../../support/duplicates/scans.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { type Library, openLibrary } from '../../support/harness.ts'
import { fc } from '../../support/property.ts'

const THRESHOLD = 8

let library: Library
let root: { id: number; token: string }
before(async () => {
  library = await openLibrary({ DUPLICATE_HASH_THRESHOLD: String(THRESHOLD) })
  root = await library.join('root', { is_admin: true })
})
after(() => library.close())
beforeEach(() => {
  for (const table of ['files', 'duplicate_scans']) library.deps.db.run(`DELETE FROM ${table}`)
})

interface Made extends Partial<Finer> {
  /** 0 when it isn't given. */
  phash?: bigint
}

/** Adds files, and returns the row number of the first. */
function addFiles(files: Made[]): number {
  const { db } = library.deps
  addHashedFiles(
    db,
    files.map((file) => file.phash ?? 0n),
  )
  const { last } = db.get<{ last: number }>('SELECT max(rid) AS last FROM files')!
  const first = last - files.length + 1
  write(db, { now: 0 }, () => {
    for (const [index, file] of files.entries()) keepFiner(db, first + index, file)
  })
  return first
}

/** Returns the pairs that a rescan finds among files, by their places, with their distances. */
async function pairsAmong(files: Made[]): Promise<string[]> {
  const first = addFiles(files)
  await rescanAll(library)
  const clusters = await visibleClusters(library.deps.db, admin())
  return clusters
    .flatMap((cluster) => cluster.pairs)
    .map(({ a, b, distance }) => `${a - first} ${b - first}: ${distance}`)
    .sort()
}

const admin = () => ({ id: root.id, is_admin: true }) as User

const random = randomNumbers(17)
const one = randomFiner(random)
const other = randomFiner(random)

describe('files with the same first hash', () => {
  it('are a pair when their finer hashes are equal or near', async () => {
    const near = turned(one, NEAR)
    assert.deepEqual(await pairsAmong([{ hash: one }, { hash: one }, { hash: near }]), [
      '0 1: 0',
      '0 2: 0',
      '1 2: 0',
    ])
  })

  it('are none when these are far', async () => {
    assert.deepEqual(await pairsAmong([{ hash: one }, { hash: turned(one, FAR + 1) }]), [])
    assert.deepEqual(storedScan(library.deps.db).members, [])
  })

  it('are none when they are plain, but for equal contents', async () => {
    const plain = { hash: one, isPlain: true }
    const files = [plain, plain, { ...plain, content: 1 }, { ...plain, content: 1 }, { hash: one }]
    assert.deepEqual(await pairsAmong(files), ['2 3: 0'])
  })

  it('are a pair as long as one of them has no finer hash, unless the other is plain', async () => {
    const files = [{ hash: one }, {}, { hash: other }, { hash: one, isPlain: true }]
    assert.deepEqual(await pairsAmong(files), ['0 1: 0', '1 2: 0'])
  })

  it('are none but for equal contents when one can get no finer hash', async () => {
    const files: Made[] = [{ hash: one }, {}, { content: 1 }, { hash: other, content: 1 }]
    addFiles(files)
    const { db, deps } = { db: library.deps.db, deps: library.deps }
    // Their contents are lost, so that the background passes them.
    await runBackground(deps).over
    db.run('DELETE FROM files')
    assert.deepEqual(await pairsAmong(files), ['2 3: 0'])
    db.run('DELETE FROM background_work')
  })

  it('are a pair when their contents are equal, whatever was hashed of each', async () => {
    const files = [
      { hash: one, content: 1 },
      { hash: other, content: 1 },
      { hash: one, content: 2, isPlain: true },
      { hash: other, content: 2 },
      { content: 2 },
    ]
    assert.deepEqual(await pairsAmong(files), ['0 1: 0', '2 3: 0', '2 4: 0', '3 4: 0'])
  })
})

describe('files with near first hashes', () => {
  it('are a pair when their finer hashes are near, too', async () => {
    const files = [
      { hash: one, phash: 0n },
      { hash: turned(one, NEAR), phash: 0xffn },
      { hash: one, phash: 0x1ffn },
      { hash: turned(one, FAR + 1, 100), phash: 0x7n },
    ]
    assert.deepEqual(await pairsAmong(files), ['0 1: 8', '1 2: 1'])
  })

  it('are a pair when they are plain and have equal contents', async () => {
    const plain = { hash: one, isPlain: true, content: 1 }
    const files = [
      plain,
      { ...plain, phash: 3n },
      { ...plain, phash: 0xfffn },
      { ...plain, content: 2 },
    ]
    assert.deepEqual(await pairsAmong(files), ['0 1: 2'])
  })
})

describe('the pairs of any library', () => {
  const PHASHES = [0n, 7n, 0x3fn, 0xffffn, 1n << 63n, -1n]
  const FINER = [one, turned(one, 4, 200), other, randomFiner(random)]
  const file = fc.record({
    content: fc.nat(12),
    lastBit: fc.bigInt(0n, 1n),
    hash: fc.option(fc.constantFrom(...FINER), { nil: undefined, freq: 4 }),
    bits: fc.nat(NEAR / 4),
    isPlain: fc.nat(3).map((n) => n === 0),
  })

  it('are those that the rule names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 40 }), async (made) => {
        for (const table of ['files', 'duplicate_scans'])
          library.deps.db.run(`DELETE FROM ${table}`)
        // Equal contents have equal first hashes, or nearly.
        const files = made.map(({ hash, bits, lastBit, ...rest }) => ({
          ...rest,
          phash: PHASHES[rest.content % PHASHES.length]! ^ lastBit,
          ...(hash && { hash: turned(hash, bits) }),
        }))
        assert.deepEqual(await pairsAmong(files), expectedPairs(files))
      }),
      { numRuns: 60 },
    )
  })

  function expectedPairs(files: Made[]): string[] {
    // The first file with a content and a finer hash stands for all with that content.
    const standing = (file: Made) =>
      files.find((twin) => twin.content === file.content && twin.hash) ?? file
    const found: string[] = []
    for (const [a, left] of files.entries()) {
      for (const [b, right] of files.entries()) {
        const distance = slowDistance(
          BigInt.asUintN(64, left.phash!),
          BigInt.asUintN(64, right.phash!),
        )
        if (a >= b || distance > THRESHOLD) continue
        const isAlike =
          left.content === right.content || looksAlike(standing(left), standing(right))
        if (isAlike) found.push(`${a} ${b}: ${distance}`)
      }
    }
    return found.sort()
  }

  function looksAlike(left: Made, right: Made): boolean {
    const isPlain = (file: Made) => file.hash !== undefined && file.isPlain === true
    if (isPlain(left) || isPlain(right)) return false
    if (!left.hash || !right.hash) return true
    const differing = left.hash.map((byte, index) => byte ^ right.hash![index]!)
    return (
      Array.from(differing, (byte) => byte.toString(2))
        .join('')
        .replaceAll('0', '').length <= NEAR
    )
  }
})

describe('a crowd with one first hash', () => {
  it('is gathered by what is near', async () => {
    const centres = [one, other, randomFiner(random)]
    // Each is near its centre, but few are near each other.
    const files = Array.from({ length: 300 }, (_, index) => ({
      hash: index < 3 ? centres[index]! : turned(centres[index % 3]!, NEAR, random(200)),
    }))
    const first = addFiles(files)
    await rescanAll(library)
    const { db } = library.deps
    const clusters = await visibleClusters(db, admin())
    assert.deepEqual(
      clusters.map((cluster) => cluster.files),
      [0, 1, 2].map((rest) => Array.from({ length: 100 }, (_, n) => first + 3 * n + rest)),
    )
    const groups = db.all('SELECT DISTINCT group_id FROM duplicate_members')
    assert.deepEqual([groups.length, storedScan(db).pairs], [3, []])
  })

  it('holds together as a chain', async () => {
    // 80 steps of 3 bits, which come back to no bit.
    const files = Array.from({ length: 80 }, (_, index) => ({ hash: turned(one, 3 * index) }))
    const first = addFiles(files)
    await rescanAll(library)
    const clusters = await visibleClusters(library.deps.db, admin())
    assert.deepEqual(
      clusters.map((cluster) => cluster.files),
      [Array.from({ length: 80 }, (_, n) => first + n)],
    )
  })

  it('is compared with near ones, and beside them with a file alone', async () => {
    const files = Array.from({ length: 60 }, () => randomFiner(random)).flatMap((hash) => [
      { hash, phash: 0n },
      { hash, phash: 1n },
    ])
    const found = await pairsAmong([...files, { hash: files[7]!.hash, phash: 3n }])
    const pairs = Array.from({ length: 60 }, (_, n) => `${2 * n} ${2 * n + 1}: 1`)
    assert.deepEqual(found, [...pairs, '6 120: 2', '7 120: 1'].sort())
  })

  it('of more than are compared finds equal contents alone in the rest, and tells so', async () => {
    const files = Array.from({ length: 700 }, () => ({ hash: randomFiner(random) }))
    const last = { hash: files.at(-1)!.hash, content: 1 }
    const copy = { hash: other, phash: 1n, content: 1 }
    assert.deepEqual(await pairsAmong([...files.slice(0, -1), last, copy]), ['699 700: 1'])
    const told = library.logged.find((line) => line.message.startsWith('not all pictures'))
    assert.deepEqual(told?.fields, { files: 200, hashes: 0, looks: 0 })
  })
})
