import { LRUCache } from 'lru-cache'
import { countBits } from '../../base/bits.ts'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { type FileSet, hasFile } from '../../files/file-set.ts'
import { canMove, isAnimated } from '../../media/animation.ts'
import { readRange } from '../../media/file-bytes.ts'
import type { Storage } from '../../media/storage.ts'
import { pairsWithin } from '../clusters.ts'
import { currentScan, type Dismissed, scanPairs } from '../queries.ts'
import { NEAR } from '../rescan/finer-hashes.ts'
import { CROWD, comparedOf, createAgreement, type Statements } from './agreement.ts'
import type { Mergeable } from './identical.ts'
import { blobsOf, membersAfter, type Shape, shapesOf } from './smaller-queries.ts'
import { statementsOf } from './statement-queries.ts'

// Bits by which first hashes may differ: less than what makes files look alike elsewhere.
const MOST_DISTANCE = 4
const MOST_RATIO = 1.01
const MOST_PIXELS = 0.9
const STRETCH = 2000
// How many contents are cached; a content never changes under its name.
const MOST_CACHED = 100_000

const areMoving = perConnection(() => new LRUCache<string, boolean>({ max: MOST_CACHED }))

type Pause = () => Promise<void>
// The second picture has fewer pixels.
type Sizes = [larger: number, smaller: number]

/**
 * Returns pictures that the last rescan found to show the same in several sizes and that can be merged without a loss:
 * each time the one with most pixels, then the others. No picture is there twice, and none of `others`.
 */
export async function smallerPictures(
  deps: { db: Db; storage: Storage },
  { files, dismissed, others }: Mergeable & { others: FileSet },
  pause: Pause,
): Promise<number[][]> {
  const { db } = deps
  const scan = currentScan(db)
  if (scan === undefined) return []
  const isWanted = (rid: number) => hasFile(files, rid) && !hasFile(others, rid)
  const groups = await readGroups(db, scan, isWanted, pause)
  const shapes = await readShapes(db, scan, [...groups.values()].flat(), pause)
  const sizes: Sizes[] = []
  const compare = (a: number, b: number) => {
    const pair = inSizes(shapes.get(a), shapes.get(b))
    if (pair) sizes.push(pair)
  }
  for (const group of groups.values()) {
    for (const [a, b] of pairsWithin(group, () => false)) compare(a, b)
    await pause()
  }
  for await (const [left, right] of nearGroups(db, scan, groups, pause)) {
    for (const a of left) for (const b of right) compare(a, b)
    await pause()
  }
  const moving = await movingPictures(deps, sizes.flat(), pause)
  const said = await readStatements(db, sizes.flat(), pause)
  const mergeable = sizes.filter(
    (pair) => !pair.some((rid) => moving.has(rid)) && agreeing(pair, said, dismissed).length === 2,
  )
  return byRetained(mergeable, shapes).map((pictures) => agreeing(pictures, said, dismissed))
}

// The files also agree with the first one.
function agreeing(files: number[], said: Map<number, Statements>, dismissed: Dismissed): number[] {
  const agreement = createAgreement(dismissed)
  for (const rid of files) {
    const statements = said.get(rid)
    // How one content is turned says nothing about another one.
    if (statements) agreement.admit(rid, comparedOf({ ...statements, rotation: null }))
  }
  return agreement.files
}

async function readGroups(
  db: Db,
  scan: number,
  isWanted: (rid: number) => boolean,
  pause: Pause,
): Promise<Map<number, number[]>> {
  const groups = new Map<number, number[]>()
  for (let after = 0; ; ) {
    const rows = membersAfter(db, scan, { after, length: STRETCH })
    for (const { rid, group } of rows) {
      if (!isWanted(rid)) continue
      const known = groups.get(group)
      if (known) known.push(rid)
      else groups.set(group, [rid])
    }
    await pause()
    if (rows.length < STRETCH) break
    after = rows.at(-1)!.rid
  }
  for (const [group, files] of groups) if (files.length > CROWD) groups.delete(group)
  return groups
}

async function* nearGroups(
  db: Db,
  scan: number,
  groups: Map<number, number[]>,
  pause: Pause,
): AsyncGenerator<[number[], number[]]> {
  for (const pairs of scanPairs(db, scan)) {
    for (const { a, b, distance } of pairs) {
      const [left, right] = [groups.get(a), groups.get(b)]
      if (distance <= MOST_DISTANCE && left && right) yield [left, right]
    }
    await pause()
  }
}

interface Picture extends Omit<Shape, 'hash'> {
  words: Int32Array
}

async function readShapes(
  db: Db,
  scan: number,
  rids: number[],
  pause: Pause,
): Promise<Map<number, Picture>> {
  const shapes = new Map<number, Picture>()
  for (let from = 0; from < rids.length; from += STRETCH) {
    for (const picture of picturesOf(db, scan, rids.slice(from, from + STRETCH))) {
      shapes.set(picture.rid, picture)
    }
    await pause()
  }
  return shapes
}

function picturesOf(db: Db, scan: number, rids: number[]): Picture[] {
  // The bytes are never compared with those of another byte order.
  return shapesOf(db, scan, rids).map(({ hash, ...shape }) => ({
    ...shape,
    words: new Int32Array(Uint8Array.from(hash).buffer),
  }))
}

/**
 * Returns whether pictures still are as `smallerPictures` returns them, except for whether they are animated and
 * whether there is a better one to retain.
 */
export function areStillSmaller(db: Db, files: number[], dismissed: Dismissed): boolean {
  const scan = currentScan(db)
  if (scan === undefined) return false
  const pictures = new Map(picturesOf(db, scan, files).map((picture) => [picture.rid, picture]))
  const [keep, ...discard] = files
  const isSmaller = (rid: number) => inSizes(pictures.get(keep!), pictures.get(rid))?.[1] === rid
  return (
    discard.every(isSmaller) &&
    agreeing(files, statementsOf(db, files), dismissed).length === files.length
  )
}

async function readStatements(
  db: Db,
  rids: number[],
  pause: Pause,
): Promise<Map<number, Statements>> {
  const asked = [...new Set(rids)]
  const said = new Map<number, Statements>()
  for (let from = 0; from < asked.length; from += STRETCH) {
    for (const [rid, statements] of statementsOf(db, asked.slice(from, from + STRETCH)))
      said.set(rid, statements)
    await pause()
  }
  return said
}

// Returns null unless one of the pictures may be a smaller version of the other.
function inSizes(x: Picture | undefined, y: Picture | undefined): Sizes | null {
  if (!x || !y || x.creator_id !== y.creator_id) return null
  const [larger, smaller] = pixelsOf(x) >= pixelsOf(y) ? [x, y] : [y, x]
  if (pixelsOf(smaller) > MOST_PIXELS * pixelsOf(larger)) return null
  const ratio = (larger.width * smaller.height) / (larger.height * smaller.width)
  if (Math.max(ratio, 1 / ratio) > MOST_RATIO) return null
  return distanceOf(x.words, y.words) <= NEAR ? [larger.rid, smaller.rid] : null
}

function distanceOf(a: Int32Array, b: Int32Array): number {
  return a.reduce((distance, word, index) => distance + countBits(word ^ b[index]!), 0)
}

function pixelsOf({ width, height }: Picture): number {
  return width * height
}

// Returns the pictures that are no smaller version of another one, each with those that are smaller versions of it,
// and of no larger one among these.
function byRetained(sizes: Sizes[], shapes: Map<number, Picture>): number[][] {
  const smaller = new Set(sizes.map(([, rid]) => rid))
  const best = new Map<number, number>()
  const isBetter = (a: number, b: number) =>
    pixelsOf(shapes.get(a)!) - pixelsOf(shapes.get(b)!) || b - a
  for (const [larger, rid] of sizes) {
    if (smaller.has(larger)) continue
    const known = best.get(rid)
    if (known === undefined || isBetter(larger, known) > 0) best.set(rid, larger)
  }
  const byLarger = new Map<number, number[]>()
  for (const [rid, larger] of [...best].sort(([a], [b]) => a - b)) {
    const found = byLarger.get(larger)
    if (found) found.push(rid)
    else byLarger.set(larger, [larger, rid])
  }
  return [...byLarger.values()].sort(([a], [b]) => a! - b!)
}

// Returns the files whose pictures have several frames. Each content that may have several is read once; one that can't
// be read counts as having them.
async function movingPictures(
  { db, storage }: { db: Db; storage: Storage },
  rids: number[],
  pause: Pause,
): Promise<Set<number>> {
  const known = areMoving(db)
  const moving = new Set<number>()
  const asked = [...new Set(rids)]
  for (let from = 0; from < asked.length; from += STRETCH) {
    for (const { rid, ...content } of blobsOf(db, asked.slice(from, from + STRETCH))) {
      if (!canMove(content.mime_type)) continue
      const moves = known.get(content.blob) ?? (await look(storage, content))
      if (moves !== null) known.set(content.blob, moves)
      if (moves ?? true) moving.add(rid)
      await pause()
    }
    await pause()
  }
  return moving
}

// Returns true for a content that doesn't say, and null when it can't be read now.
async function look(
  storage: Storage,
  { mime_type, blob, size }: { mime_type: string; blob: string; size: number },
): Promise<boolean | null> {
  const read = async (start: number, to: number) => {
    const end = Math.min(to, size)
    if (start >= end) return Buffer.alloc(0)
    return readRange((range) => storage.stream(blob, range), { start, end })
  }
  try {
    return (await isAnimated({ size, read }, mime_type)) ?? true
  } catch {
    return null
  }
}
