import { readFileSync } from 'node:fs'

/**
 * What the processes of the decoder may take of memory, in bytes: a child, one program that it has started, and the
 * picture that it holds, by the estimate of its head. `common` is the child for most pictures, several at once; `large`
 * the one in which a job is alone. There, no large picture is held beside a program, so that all of them together stay
 * below 1.7 GB.
 *
 * Not every picture of 268 million pixels fits in: progressive JPEGs, interlaced PNGs, GIFs, lossless WebPs, AVIF and
 * HEIC have fewer pixels at most. All others are read row by row.
 */
export const TIERS = {
  common: { child: 470e6, program: 270e6, held: 150e6 },
  large: { child: 950e6, program: 620e6, held: 820e6 },
} as const

/** The kind of a child, by what it may take. */
export type Tier = keyof typeof TIERS

const isBun = 'Bun' in globalThis
const KIB = 1024
// Bytes that a runtime reserves and never uses, most of them for the stacks of its threads and, on Bun, for machine
// code and objects; a limit counts these. Bun is told to reserve less than its 6 GB: when the system gives it less
// than it asks for, it runs without its compiler, which is far slower.
const RESERVED = isBun ? 370e6 : 175e6
const RESERVE_LESS = {
  BUN_JSC_jitMemoryReservationSize: String(64 * 2 ** 20),
  BUN_JSC_structureHeapSizeInKB: String(128 * KIB),
  MIMALLOC_ARENA_RESERVE: '16MiB',
}

/**
 * What a bounded child needs in its environment. With a heap for each thread, what one frees is lost for the others.
 */
export const BOUNDED_ENVIRONMENT: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: '2',
  // A child of Node's is also started by Bun, where Landlock walls it in.
  ...RESERVE_LESS,
}

/**
 * Returns the shell code that limits the memory of the program that the shell becomes, in bytes; this runtime reserves
 * more. It limits data, since a runtime can't live with a limit of addresses.
 */
export function limitMemory(bytes: number, isRuntime: boolean): string {
  if (process.platform !== 'linux') return ''
  return `ulimit -S -d ${Math.ceil((bytes + (isRuntime ? RESERVED : 0)) / KIB)} 2>/dev/null;`
}

/**
 * Whether such a limit is of no use for WebAssembly: Bun reserves 4 GB for it, and without them it copies all of its
 * memory whenever that grows, and takes far more.
 */
export const isWasmUnlimited = isBun

/** Ends the limit that a process would inherit. */
export const NO_LIMIT = 'ulimit -S -d unlimited 2>/dev/null;'

/** Returns the bytes of memory that a process has, or 0 when the system doesn't say. */
export function residentMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * KIB
  } catch {
    return 0
  }
}
