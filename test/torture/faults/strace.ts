import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** System calls that change what is on the disk, by what they are called here. */
const CALLS = {
  fsync: ['fsync'],
  fdatasync: ['fdatasync'],
  rename: ['rename', 'renameat', 'renameat2'],
  unlink: ['unlink', 'unlinkat'],
  link: ['link', 'linkat'],
  ftruncate: ['ftruncate'],
  pwrite64: ['pwrite64'],
  write: ['write'],
  open: ['open', 'openat', 'creat'],
} as const

export type CallName = keyof typeof CALLS
const NAMES = Object.keys(CALLS) as CallName[]

/**
 * A call of a request: the `when`-th of its kind of the main thread, which is SQLite's, or of another one. strace counts
 * for each thread; those of a request of the file system that are not the main thread's come one after another.
 */
export interface Point {
  thread: 'main' | 'other'
  call: CallName
  when: number
}

/** What is done to a call: `signal=KILL`, `error=EIO`, `error=ENOSPC`. */
export type Harm = 'signal=KILL' | 'error=EIO' | 'error=ENOSPC'

export interface Injection extends Point {
  harm: Harm
}

interface Tracing {
  /** Ends it; returns what was called. */
  end(): Promise<Called[]>
}

/** A call that changes a file in the folders that matter. */
export interface Called extends Point {
  /** Its path, with random names as `*`. */
  what: string
  isHarmed: boolean
}

/** Traces a running process, and does harm at a point; resolves once it is attached. */
export async function attach(
  pid: number,
  { folder, injection }: { folder: string; injection?: Injection },
): Promise<Tracing> {
  const others = readdirSync(`/proc/${pid}/task`).filter((tid) => Number(tid) !== pid)
  const tids =
    injection === undefined
      ? [String(pid), ...others]
      : injection.thread === 'main'
        ? [String(pid)]
        : others
  const log = join(tmpdir(), `tagstead-strace-${pid}`)
  const args = [...argumentsFor(injection), '-o', log, ...tids.flatMap((tid) => ['-p', tid])]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(strace, 'close')
  let told = ''
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (chunk: Buffer) => {
      told += chunk
      if (told.split(' attached').length > tids.length) resolve()
    })
    ended.then(() => reject(new Error(`strace: ${told}`)))
  })
  return {
    async end() {
      strace.kill('SIGINT')
      await ended
      const called = read(log, folder, pid)
      rmSync(log)
      return called
    },
  }
}

/** Returns the program and the arguments that run a command traced, on all threads or the main one alone. */
export function traced(
  [program, ...own]: readonly [string, ...string[]],
  {
    log,
    injection,
    mainAlone = injection?.thread === 'main',
  }: { log: string; injection?: Injection; mainAlone?: boolean },
): [string, ...string[]] {
  const follow = mainAlone ? [] : ['-f']
  return ['strace', ...argumentsFor(injection), ...follow, '-o', log, program, ...own]
}

function argumentsFor(injection: Injection | undefined): string[] {
  const names = injection ? [injection.call] : NAMES
  // Not every architecture has all of them.
  const list = names.flatMap((name) => CALLS[name].map((one) => `?${one}`)).join()
  const args = ['-y', '-s', '0', '-e', `trace=${list}`, '-e', 'signal=none']
  if (!injection) return args
  return [...args, '-e', `inject=${list}:${injection.harm}:when=${injection.when}`]
}

/** Returns what a log tells of calls that change something in `folder`; `pid` is the main thread, else the first one. */
export function read(log: string, folder: string, pid?: number): Called[] {
  const counts = new Map<string, number>()
  const called: Called[] = []
  let main = pid
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, tid, name] = /^(?:(\d+) +)?(\w+)\(/.exec(line) ?? []
    const call = NAMES.find((one) => (CALLS[one] as readonly string[]).includes(name ?? ''))
    if (!call) continue
    // With one thread alone, strace names none.
    const thread = tid === undefined ? main : Number(tid)
    main ??= thread
    const key = `${tid ?? ''} ${call}`
    const when = (counts.get(key) ?? 0) + 1
    counts.set(key, when)
    const path = line.includes(folder) ? pathIn(line, folder) : null
    if (path === null || (call === 'open' && !/O_WRONLY|O_RDWR|O_CREAT/.test(line))) continue
    const isHarmed = / \(INJECTED\)/.test(line)
    called.push({
      ...{ thread: thread === main ? 'main' : 'other', call, when },
      ...{ what: `${call} ${path}`, isHarmed },
    })
  }
  return called
}

function pathIn(line: string, folder: string): string {
  const rest = line.slice(line.lastIndexOf(`${folder}/`) + folder.length + 1)
  const path = /^[^">]*/.exec(rest)![0]
  return path
    .replaceAll(/[0-9a-f]{12,}/g, '*')
    .replaceAll(/\/[0-9a-f]{2}\b/g, '/*')
    .replaceAll(/\d{4}-\d\d-\d\dT[\w.-]+Z/g, '*')
}

/** Returns the points of what was called, at most so many of them: all but those that are of one kind too often. */
export function pointsOf(called: Called[], most: number): Point[] {
  const all = new Map<string, Point>()
  for (const { thread, call, when } of called) {
    if (call !== 'write') all.set(`${thread} ${call} ${when}`, { thread, call, when })
  }
  const list = [...all.values()]
  // SQLite writes the pages of a change one by one, before it syncs them.
  const pages = list.filter(({ call }) => call === 'pwrite64')
  const rest = list.filter(({ call }) => call !== 'pwrite64')
  const few = Math.max(most - rest.length, Math.ceil(most / 4))
  return [...spread(rest, most - Math.min(few, pages.length)), ...spread(pages, few)]
}

/** Returns so many of a list, from its first to its last. */
export function spread<T>(list: T[], count: number): T[] {
  if (list.length <= count) return list
  const step = count > 1 ? (list.length - 1) / (count - 1) : 0
  return Array.from({ length: count }, (_, n) => list[Math.round(n * step)]!)
}
