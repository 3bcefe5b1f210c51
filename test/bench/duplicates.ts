import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { countBits } from '../../src/base/bits.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { write } from '../../src/db/write.ts'
import type { Hashes } from '../../src/duplicates/hamming.ts'
import { allPairs } from '../../src/duplicates/rescan/all-pairs.ts'
import { createBkTree } from '../../src/duplicates/similar/bk-tree.ts'
import { commandLine, spawnServer } from '../support/spawn.ts'
import { generator } from './library.ts'
import { measure, printTable } from './measure.ts'

const COUNT = 1_000_000
const THRESHOLD = 8
const CROWD = 200_000
const SAMPLE = 200
const LOOKED_AT = [100_000, COUNT]
/** Times that a look-up may take of a loop over two arrays, and from COUNT hashes on for the nearest. */
const LIMIT = { all: 1.2, near: { distance: 4, times: 1 / 3 } }

/**
 * Measures the search for all pairs, the whole rescan while a server runs, and look-ups in the
 * tree.
 */
export async function bench(): Promise<void> {
  const uniform = makeHashes(COUNT, 0)
  const clustered = makeHashes(COUNT, 0.3)
  printTable(`All pairs of ${COUNT} hashes within ${THRESHOLD}`, [
    comparePairs('uniform', uniform),
    comparePairs('clustered', clustered),
  ])
  printTable(`The command rescan over ${COUNT} files, beside a server`, [
    await measureRescan('uniform', uniform),
    await measureRescan('clustered, first hashes alone', clustered),
    await measureRescan('clustered', clustered, makeFinerHashes(clustered)),
  ])
  const equal = { hi: new Int32Array(CROWD), lo: new Int32Array(CROWD) }
  const random = generator(3)
  const centre = randomBytes(random)
  const crowd = (hash: () => Uint8Array, isPlain = false) => ({
    hashes: Array.from({ length: CROWD }, hash),
    isPlain,
  })
  printTable(`The same over ${CROWD} files with one first hash`, [
    await measureRescan(
      'black',
      equal,
      crowd(() => centre, true),
    ),
    await measureRescan(
      'frames',
      equal,
      crowd(() => turned(centre, 20, random)),
    ),
    await measureRescan(
      'noise',
      equal,
      crowd(() => randomBytes(random)),
    ),
  ])
  for (const count of LOOKED_AT) {
    printTable(`Hashes near one among ${count}, and a loop over all`, await compareLookups(count))
  }
}

/** Finer hashes of files, in their order. */
interface MadeFiner {
  hashes: Uint8Array[]
  isPlain: boolean
}

/** Returns finer hashes, each near that of what it is like. */
function makeFinerHashes({ likes }: MadeHashes): MadeFiner {
  const random = generator(11)
  const hashes: Uint8Array[] = []
  for (const earlier of likes) {
    hashes.push(earlier < 0 ? randomBytes(random) : turned(hashes[earlier]!, 4, random))
  }
  return { hashes, isPlain: false }
}

function randomBytes(random: () => number): Uint8Array {
  return Uint8Array.from({ length: 32 }, () => random() * 256)
}

function turned(hash: Uint8Array, bits: number, random: () => number): Uint8Array {
  const other = hash.slice()
  for (let count = 0; count < bits; count++) other[random() * 32]! ^= 1 << (random() * 8)
  return other
}

interface MadeHashes extends Hashes {
  /** The earlier hash that each is like, or -1. */
  likes: Int32Array
}

/** Returns hashes of which a share is like earlier ones, a few bits away. */
function makeHashes(count: number, clusteredShare: number): MadeHashes {
  const random = generator(9)
  const hi = new Int32Array(count)
  const lo = new Int32Array(count)
  const likes = new Int32Array(count).fill(-1)
  for (let place = 0; place < count; place++) {
    const earlier = place > 0 && random() < clusteredShare ? Math.floor(random() * place) : -1
    hi[place] = earlier < 0 ? random() * 2 ** 32 : hi[earlier]!
    lo[place] = earlier < 0 ? random() * 2 ** 32 : lo[earlier]!
    likes[place] = earlier
    const flips = earlier < 0 ? 0 : 1 + Math.floor(random() * 12)
    for (let flip = 0; flip < flips; flip++) {
      const bit = 1 << (random() * 32)
      if (random() < 0.5) hi[place]! ^= bit
      else lo[place]! ^= bit
    }
  }
  return { hi, lo, likes }
}

function comparePairs(shape: string, hashes: Hashes): Record<string, string | number> {
  let found = 0
  let longest = 0
  const started = performance.now()
  let last = started
  for (const { pairs } of allPairs(hashes, THRESHOLD)) {
    found += pairs.length / 2
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const seconds = (performance.now() - started) / 1000
  const { hi, lo } = hashes
  const sampleStart = performance.now()
  for (let place = 0; place < SAMPLE; place++) linearScan(hashes, hi[place]!, lo[place]!, THRESHOLD)
  const linear = ((performance.now() - sampleStart) / 1000 / SAMPLE) * (COUNT / 2)
  return {
    shape,
    pairs: found,
    seconds,
    'longest step': longest,
    'linear scan, s': linear,
    '× quicker': linear / seconds,
  }
}

/** Returns how many hashes are within a distance of the given one. */
function linearScan({ hi: his, lo: los }: Hashes, hi: number, lo: number, distance: number) {
  let found = 0
  for (let place = 0; place < his.length; place++) {
    if (countBits(his[place]! ^ hi, los[place]! ^ lo) <= distance) found++
  }
  return found
}

async function measureRescan(shape: string, hashes: Hashes, finer?: MadeFiner) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tagstead-bench-'))
  const server = await spawnServer({ dataDir, env: { DUPLICATE_RESCAN_INTERVAL: '0' } })
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  addFiles(db, hashes)
  if (finer) addFinerHashes(db, finer)
  db.close()
  await fetch(`${server.url}/health`)

  const started = performance.now()
  const [program, ...args] = commandLine()
  const child = spawn(program, [...args, 'rescan', '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  let isRunning = true
  const ended = once(child, 'close').then(() => {
    isRunning = false
    return (performance.now() - started) / 1000
  })
  const times: number[] = []
  let memory = 0
  while (isRunning) {
    const asked = performance.now()
    await (await fetch(`${server.url}/health`)).text()
    times.push(performance.now() - asked)
    memory = Math.max(memory, highWater(child.pid!))
    await delay(5)
  }
  const seconds = await ended
  await server.stop()
  const scanRows = countRows(dataDir)
  rmSync(dataDir, { recursive: true })
  times.sort((a, b) => a - b)
  const { pairs, clusters } = JSON.parse(output.trimEnd().split('\n').at(-1)!)
  return {
    shape,
    pairs,
    clusters,
    rows: scanRows,
    seconds,
    'memory, MiB': memory,
    'health p50': times[Math.floor(times.length / 2)]!,
    'health p99': times[Math.floor(times.length * 0.99)]!,
    worst: times.at(-1)!,
  }
}

/** Returns how many rows the scan has. */
function countRows(dataDir: string): number {
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  const count =
    'SELECT (SELECT count(*) FROM duplicate_pairs) + (SELECT count(*) FROM duplicate_members) AS rows'
  const { rows } = db.get<{ rows: number }>(count)!
  db.close()
  return rows
}

/** Returns the most memory that a process has had, in MiB, or 0 once it is gone. */
function highWater(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function addFiles(db: Db, { hi, lo }: Hashes): void {
  write(db, { now: 0 }, () => {
    const names = "SELECT sql FROM sqlite_schema WHERE name = 'files_fts_insert'"
    const { sql } = db.get<{ sql: string }>(names)!
    db.run('DROP TRIGGER files_fts_insert')
    const portion = 10_000
    for (let start = 0; start < hi.length; start += portion) {
      const rows = Array.from(hi.subarray(start, start + portion), (high, index) => [
        high,
        lo[start + index]! >>> 0,
      ])
      db.run(
        `INSERT INTO files (id, name_key, mime_type, mime_extension, content_datetime, phash,
         creator_id, is_public, is_deleted, needs_review)
         SELECT randomblob(16), '', 'image/jpeg', 'jpg', 0, (value ->> 0 << 32) | (value ->> 1),
         1, 0, 0, 0 FROM json_each(?)`,
        JSON.stringify(rows),
      )
    }
    db.run(
      `INSERT INTO file_details (file_rid, blob, size, sha256, stored_at, derivative_state, exif)
       SELECT rid, format('%032x', rid), 1, randomblob(32), 0, 'made', '{}' FROM files`,
    )
    db.run(sql)
  })
  db.get('PRAGMA wal_checkpoint(TRUNCATE)')
}

function addFinerHashes(db: Db, { hashes, isPlain }: MadeFiner): void {
  const insert = `INSERT INTO finer_hashes SELECT file_rid, ?, ?, sha256 FROM file_details WHERE file_rid = ?`
  write(db, { now: 0 }, () => {
    for (const [index, hash] of hashes.entries()) db.run(insert, hash, Number(isPlain), index + 1)
  })
  db.get('PRAGMA wal_checkpoint(TRUNCATE)')
}

async function compareLookups(count: number): Promise<Record<string, number | string>[]> {
  const rows: Record<string, number | string>[] = []
  for (const share of [0, 0.3]) {
    const hashes = makeHashes(count, share)
    const { hi, lo } = hashes
    const tree = createBkTree()
    for (let place = 0; place < count; place++) tree.add(hi[place]!, lo[place]!)
    for (const distance of [0, 2, 4, 6, 8, 10, 12, 16]) {
      let place = 0
      const next = () => (place = (place + 7919) % count)
      const found = await measure(() => tree.within(hi[next()]!, lo[place]!, distance).hi.length)
      const scanned = await measure(() => linearScan(hashes, hi[next()]!, lo[place]!, distance))
      const isNear = count === COUNT && distance <= LIMIT.near.distance
      const limit = isNear ? LIMIT.near.times : LIMIT.all
      const ratio = found.p50 / scanned.p50
      rows.push({
        clustered: share,
        distance,
        'tree p50': found.p50,
        'tree p99': found.p99,
        'loop p50': scanned.p50,
        'loop p99': scanned.p99,
        '× loop': ratio,
        goal: limit,
        held: ratio <= limit ? 'yes' : 'no',
      })
    }
  }
  return rows
}
