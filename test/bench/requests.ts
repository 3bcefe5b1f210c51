import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, type Runtime, spawnServer } from '../support/spawn.ts'
import { printTable, resident } from './measure.ts'
import { type Case, type Limit, openCases, privateCases } from './requests/cases.ts'
import { createClient } from './requests/client.ts'
import { allowed, isHeld, type Reading, sample, type Taken } from './requests/samples.ts'
import { makeWorld, type World } from './requests/world.ts'
import { beginWriting } from './requests/writer.ts'

const SIZES = (process.env.BENCH_FILES ?? '100000,1000000').split(',').map(Number)
const RUNTIMES = (process.env.BENCH_RUNTIMES ?? 'bun,node').split(',') as Runtime[]
const LIBRARIES = (process.env.BENCH_LIBRARIES ?? 'open,private').split(',') as Library[]
/** Only cases whose names begin like one of these. */
const ONLY = (process.env.BENCH_ONLY ?? '').split(',')
/** How often a case is asked for that misses its goal. */
const TRIES = 3
/** From the smaller library to the larger, ten times its size; no case may grow more. */
const GROWTH = 2.5
/** Milliseconds that a case may take when nothing is kept yet. */
const FIRST = 300
/** Milliseconds for which a request may keep others from an answer. */
const HOLD = 50
const LIMIT = fileURLToPath(new URL('requests/limit.ts', import.meta.url))
/** Bytes of a page of fifty files. */
const PAGE = 115_000

/** In which most see much, or only what is theirs. */
type Library = 'open' | 'private'

/** A line of the table; times are in milliseconds. */
interface Line {
  runtime: Runtime
  files: number
  library: Library
  isWriting: boolean
  what: string
  who: string
  p50: number
  p99: number
  first: number
  hold: number
  limit: Limit
  limit_p50: number
  limit_p99: number
  allowed: number
  held: boolean
}

/**
 * Prints how long each kind of request takes over HTTP against a real server, in libraries of
 * BENCH_FILES files (100,000 and 1,000,000), on a still one and beside somebody who writes, compared
 * with a limit in the same moments, and what it may take. With `json`, a file, the table is written there;
 * `compare` is such a file of another run. Throws when a case misses its goal in the best of three.
 */
export async function bench({ json, compare }: { json?: string; compare?: string } = {}) {
  const before: Line[] = compare ? JSON.parse(readFileSync(compare, 'utf8')) : []
  const lines: Line[] = []
  for (const files of SIZES) {
    for (const runtime of RUNTIMES) {
      for (const library of LIBRARIES) {
        lines.push(...(await linesOf(files, runtime, library)))
        if (json) writeFileSync(json, JSON.stringify(lines, null, 1))
        print(lines, before, { files, runtime, library })
      }
    }
  }
  const missed = lines.filter((line) => !line.held)
  const grown = lines.filter((line) => growthOf(lines, line) > GROWTH)
  process.stdout.write(
    `\n${lines.length - missed.length} of ${lines.length} are held; ` +
      `${grown.length} grow by more than ${GROWTH}\n`,
  )
  const holding = lines.filter(({ hold }) => hold > HOLD)
  if (missed.length + grown.length + holding.length > 0) {
    throw new Error(
      `${missed.length} requests take longer than they may, ${grown.length} grow by too much, ` +
        `${holding.length} hold others for more than ${HOLD} ms`,
    )
  }
}

async function linesOf(files: number, runtime: Runtime, library: Library) {
  const world = await makeWorld(files, library === 'private')
  const lines: Line[] = []
  try {
    const server = await spawnServer({ dataDir: world.dataDir, env: world.env, runtime })
    const { pid } = server.process
    const idle = resident(pid, 'VmRSS')
    const limit = await spawnLimit(world, runtime)
    try {
      const cases = library === 'open' ? openCases(world) : privateCases(world)
      for (const isWriting of [false, true]) {
        const end = isWriting ? await beginWriting(server.url, world) : async () => {}
        const clients = {
          server: createClient(server.url),
          beside: createClient(server.url),
          limit: createClient(limit.url),
        }
        for (const one of cases.filter(isWanted)) {
          const reading = { runtime, isWriting }
          const taken = await bestOf(one, reading, () =>
            sample(one, { ...clients, token: world.tokens[one.who] }),
          )
          lines.push(lineOf(one, taken, reading, { files, library }))
        }
        await end()
        for (const client of Object.values(clients)) client.close()
      }
      printTable(`memory of ${runtime} with ${files} files, in MiB`, [
        { idle, after: resident(pid, 'VmRSS'), most: resident(pid, 'VmHWM') },
      ])
    } finally {
      limit.stop()
      await server.stop()
    }
    return lines
  } finally {
    world.remove()
  }
}

function isWanted({ what }: Case): boolean {
  return ONLY.some((beginning) => what.startsWith(beginning))
}

/** Starts the limit on a runtime. */
async function spawnLimit(world: World, runtime: Runtime) {
  const [program, ...args] = commandLine(runtime, LIMIT)
  const database = join(world.dataDir, 'tagstead.sqlite')
  const child = spawn(program, [...args, database, String(PAGE)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.on('close', (code) => reject(new Error(`The limit ended with ${code}`)))
    child.stdout.on('data', (chunk) => resolve(/http:\S+/.exec(String(chunk))![0]))
  })
  return { url, stop: () => void child.kill() }
}

/** Returns the best of several measurements of a case; the first one's first time. */
async function bestOf(one: Case, reading: Reading, measure: () => Promise<Taken>): Promise<Taken> {
  let best = await measure()
  const { first } = best
  for (let n = 1; n < TRIES && !isHeld(one.goal, best, reading); n++) {
    const again = await measure()
    const isBetter = ratioOf(one, again, reading) < ratioOf(one, best, reading)
    if (isBetter || isHeld(one.goal, again, reading)) best = again
  }
  return { ...best, first }
}

function ratioOf({ goal }: Case, taken: Taken, reading: Reading): number {
  return taken.p50 / allowed(goal, taken, reading).ms
}

function lineOf(
  { what, who, goal }: Case,
  taken: Taken,
  reading: Reading,
  of: Pick<Line, 'files' | 'library'>,
): Line {
  const { ms, of: limit } = allowed(goal, taken, reading)
  const { p50, p99, first, hold, limits } = taken
  return {
    ...of,
    ...reading,
    what,
    who,
    p50,
    p99,
    first,
    hold,
    limit,
    limit_p50: limits[limit].p50,
    limit_p99: limits[limit].p99,
    allowed: ms,
    held: isHeld(goal, taken, reading) && first <= FIRST,
  }
}

function print(
  lines: Line[],
  before: Line[],
  of: Pick<Line, 'files' | 'runtime' | 'library'>,
): void {
  const { files, runtime, library } = of
  for (const isWriting of [false, true]) {
    const shown = lines.filter((line) => isAlike(line, { ...of, isWriting }))
    if (shown.length === 0) continue
    const state = isWriting ? 'beside somebody who writes' : 'still'
    printTable(
      `${runtime}, ${files} files, ${library} library, ${state}`,
      shown.map((line) => ({
        request: line.what,
        who: line.who,
        first: line.first,
        p50: line.p50,
        p99: line.p99,
        limit: `${line.limit} ${line.limit_p50.toFixed(2)}`,
        ratio: line.p50 / line.limit_p50,
        growth: growthOf(lines, line) || '',
        hold: line.hold > HOLD ? `${Math.round(line.hold)}!` : line.hold,
        goal: line.allowed,
        held: line.held ? 'yes' : 'NO',
        ...(before.length > 0 && { before: p50In(before, line) ?? '' }),
      })),
    )
  }
}

function isAlike(line: Line, like: Partial<Line>): boolean {
  return Object.entries(like).every(([name, value]) => line[name as keyof Line] === value)
}

function p50In(lines: Line[], { runtime, files, library, isWriting, what, who }: Line) {
  const like = { runtime, files, library, isWriting, what, who }
  return lines.find((line) => isAlike(line, like))?.p50
}

/** Returns how much longer a case takes than in the library of a tenth; 0 when that was not measured. */
function growthOf(lines: Line[], line: Line): number {
  const small = p50In(lines, { ...line, files: line.files / 10 })
  return small === undefined ? 0 : line.p50 / small
}
