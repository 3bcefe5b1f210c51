import { parseArgs } from 'node:util'
import { createApp } from '../../../src/app.ts'
import { printTable } from '../../bench/measure.ts'
import { walk } from '../../support/contract/walk.ts'
import { type Library, openLibrary, picture } from '../../support/harness.ts'
import { changeAll, changeMuch } from './changing.ts'
import { useContents } from './contents.ts'
import { fillLarge, type Large } from './library.ts'
import { type Hold, measureIdle } from './meter.ts'
import { readMuch } from './reading.ts'
import { senderOf } from './sender.ts'
import { type Holds, type Longest, watchHolds } from './watched.ts'

// A program of its own, which prints the longest holds of the event loop in a large library. It
// needs nothing of the server's code but what the test harness does, so it can be laid beside an
// older or a newer version of it.

/** Milliseconds for which nobody has to wait for others, on a machine that is as quiet as that. */
const GOAL = 50
/** How much longer than the idle server's own worst a hold may be where that is more. */
const TIMES_IDLE = 3
const IDLE = 3000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1600' },
    seed: { type: 'string', default: '1' },
  },
})
const started = performance.now()
const holds: Holds = new Map()
const library = await openLibrary()
try {
  const large = await fillLarge(library)
  const watched = watchHolds(library, holds)
  const app = createApp(library.deps)
  const health = async () => (await app.request('/health')).text()
  await health()
  tell('the library is made')
  const before = await measureIdle(health, IDLE)
  const [seed, count] = [Number(values.seed), Number(values.requests)]
  await walk(watched, { seed, count, pictures: [await picture()] })
  tell(`${count} requests are made up`)
  await askMuch(watched, large)
  const after = await measureIdle(health, IDLE)
  print(before.held > after.held ? before : after)
} finally {
  await library.close()
}

/** Sends what costs most, as people who see all, a part and little of the library. */
async function askMuch(watched: Library, large: Large): Promise<void> {
  const root = await senderOf(watched, 'root')
  const ben = await senderOf(watched, 'ben')
  const cat = await senderOf(watched, 'cat')
  await root('POST', '/files/duplicates/rescan', { headers: { 'X-Rescan': 'yes' } })
  tell('the rescan is done')
  for (const send of [root, ben, cat]) await readMuch(send, large)
  tell('lists are read')
  await changeMuch(root, large, large.shared)
  await changeMuch(ben, large, large.bens)
  tell('much is changed')
  await useContents(watched, root, large.chain)
  tell('contents are used')
  await changeAll(root, large)
  tell('everything is changed')
}

function print(idle: Hold): void {
  const limit = Math.max(GOAL, TIMES_IDLE * idle.held)
  const rows = [...holds].sort(([, a], [, b]) => b.held - a.held)
  const row = ([operation, hold]: [string, Longest]) => ({
    operation,
    held: hold.held,
    'x idle': hold.held / idle.held,
    wall: hold.wall,
    cpu: hold.cpu,
    'of ms': hold.took,
    requests: String(hold.count),
    // On a busy machine the limit is high, but others' noise hardly adds to what a thread computes.
    '': hold.held > limit ? 'TOO LONG' : hold.cpu > GOAL ? `cpu over ${GOAL}` : '',
  })
  const runtime = 'Bun' in globalThis ? `Bun ${Bun.version}` : `Node ${process.versions.node}`
  const title = `the longest hold of each operation in ms, ${runtime}, 100,000 files`
  printTable(
    `${title}; idle ${idle.held.toFixed(1)} (cpu ${idle.cpu.toFixed(1)}), limit ${limit.toFixed(0)}`,
    rows.map(row),
  )
  process.stdout.write('\nthe ten longest\n')
  for (const [operation, { held, cpu, request }] of rows.slice(0, 10)) {
    const times = `${held.toFixed(0).padStart(6)} ms (cpu ${cpu.toFixed(0)})`
    process.stdout.write(`${times}  ${operation}: ${request}\n`)
  }
  const tooLong = rows.filter(([, hold]) => hold.held > limit).length
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(`\n${tooLong} operations held too long; ${seconds.toFixed(0)} s\n`)
}

function tell(what: string): void {
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}\n`)
}
