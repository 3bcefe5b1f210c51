import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '../worlds/client.ts'
import { createRandom } from '../worlds/random.ts'
import { withDatabase } from '../worlds/sound.ts'
import { type Asking, askAs } from './asking.ts'
import { backUpMuch, importMuch, type Lasting, rescanMuch, signInMuch } from './chores.ts'
import { count } from './count.ts'
import type { Errand, LoadReport } from './load.ts'
import { readOnce } from './reading.ts'

// All clients of a server, in a process of their own: when it ends, they have gone with their connections. Its
// argument is an errand; it prints a line when all have begun, and a report at the end.

/** Milliseconds in which all have to have their answers after the last request. */
const PATIENCE = 120_000
/** Files that are imported in one load at most. */
const IMPORTS = 100_000
const READERS = 8
/** Bytes that follow a picture at most, for most people and for one. */
const TAILS = { usual: 2 ** 16, large: 2 ** 23 }

const errand = JSON.parse(process.argv[2]!) as Errand
const { dataDir, load, long, people, seed, seconds, isStopped } = errand
const statuses = new Map<number, number>()
const [reads, done] = [new Map<string, number>(), new Map<string, number>()]
let broken = 0
const askings = new Map<string, Asking>()
for (const name of ['admin', ...people]) askings.set(name, await askAs(errand, name, statuses))
const admin = askings.get('admin')!

const refusals = isStopped ? [408, 429, 503] : [429, 503]
const writers = people.map((name, n) => ({
  asking: askings.get(name)!,
  client: createClient({
    prefix: `${load}${name}`,
    seed: seed + n,
    tail: n === 0 ? TAILS.large : TAILS.usual,
    refusals,
  }),
}))
const longClient = createClient({
  prefix: `${load}long`,
  seed: seed + people.length,
  kinds: ['newTag', 'bulkTags', 'mergeTags', 'deleteTag', 'undo'],
  most: long,
  refusals,
})
await withDatabase(dataDir, (db) => longClient.adopt(db))
writers.push({ asking: admin, client: longClient })

const signal = AbortSignal.timeout(seconds * 1000)
const lasting: Lasting = { signal, isStopped }
const waiting = new Set<string>()
const all = Promise.all([
  ...writers.map(({ asking, client }) =>
    begin(client.prefix, async () => {
      await client.work(asking.call, signal)
      // It stops by itself when its connection is gone.
      if (client.underWay) broken++
    }),
  ),
  ...Array.from({ length: READERS }, (_, n) => begin(`reader ${n}`, () => readMuch(n))),
  begin('sign-ins', () => signInMuch(errand, admin, lasting, done)),
  begin('rescans', () => rescanMuch(admin, lasting, done)),
  begin('backups', () => backUpMuch(errand, lasting, done)),
  begin('imports', () => importMuch(admin, { dataDir, first: load * IMPORTS }, lasting, done)),
])
process.stdout.write('begun\n')
await Promise.race([all, waitInVain()])
const report: LoadReport = {
  clients: writers.map(({ client: { prefix, world, underWay } }) => ({
    prefix,
    world,
    underWay: underWay && { kind: underWay.kind, next: underWay.next },
  })),
  steps: sumOf(writers.map(({ client }) => client.counts)),
  statuses: Object.fromEntries(statuses),
  reads: Object.fromEntries(reads),
  done: Object.fromEntries(done),
  broken,
}
process.stdout.write(`${JSON.stringify(report)}\n`)
process.exit(0)

/** Does what somebody does until the end, or until its connection is gone. */
async function begin(name: string, work: () => Promise<void>): Promise<void> {
  waiting.add(name)
  try {
    await work()
  } catch (error) {
    if (error instanceof assert.AssertionError || !isStopped) throw error
    broken++
  }
  waiting.delete(name)
}

async function readMuch(n: number): Promise<void> {
  const random = createRandom(seed + 1000 + n)
  while (!signal.aborted) count(reads, await readOnce(admin, { ...errand, random }))
}

async function waitInVain(): Promise<void> {
  await setTimeout(seconds * 1000 + PATIENCE, undefined, { ref: false })
  assert.fail(`${[...waiting].join(', ')} waited in vain`)
}

function sumOf(all: Map<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const counts of all) for (const [kind, n] of counts) sum[kind] = (sum[kind] ?? 0) + n
  return sum
}
