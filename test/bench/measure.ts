import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Times in milliseconds. */
export interface Times {
  p50: number
  p99: number
  /** The longest time in which nothing else could run. */
  hold: number
}

/**
 * Returns how long `work` takes when it is repeated at most `runs` times and for about `budget`
 * milliseconds, but at least twice.
 */
export async function measure(
  work: () => unknown,
  { runs = 200, budget = 120 }: { runs?: number; budget?: number } = {},
): Promise<Times> {
  const times: number[] = []
  let hold = 0
  const started = performance.now()
  while (times.length < 2 || (times.length < runs && performance.now() - started < budget)) {
    const once = await measureOnce(work)
    times.push(once.ms)
    hold = Math.max(hold, once.hold)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { p50: at(0.5), p99: at(0.99), hold }
}

/** Returns how long `work` takes, and for how long it lets nothing else run, in milliseconds. */
export async function measureOnce(work: () => unknown): Promise<{ ms: number; hold: number }> {
  let running = true
  let hold = 0
  let last = performance.now()
  const others = (async () => {
    while (running) {
      await setImmediate()
      const now = performance.now()
      hold = Math.max(hold, now - last)
      last = now
    }
  })()
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  running = false
  await others
  return { ms, hold: Math.min(hold, ms) }
}

/** Prints a table; the columns are as wide as their cells. */
export function printTable(title: string, rows: Record<string, string | number>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const cell = (value: string | number) => (typeof value === 'number' ? figure(value) : value)
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column] ?? '')))]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  const print = (line: string[]) =>
    process.stdout.write(
      `${line.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join('  ')}\n`,
    )
  process.stdout.write(`\n${title}\n`)
  for (const line of lines) print(line)
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Returns how many items per second are done, so many at once. */
export async function rate<Item>(
  atOnce: number,
  items: Item[],
  make: (item: Item) => Promise<unknown>,
): Promise<number> {
  const started = performance.now()
  const rest = [...items]
  const worker = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) await make(next)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (items.length / (performance.now() - started)) * 1000
}

/** Returns what a process of Linux has in memory, VmRSS, or has had at most, VmHWM, in MiB. */
export function resident(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
}
