import type { Daemon } from './daemon.ts'
import type { Target } from './signed.ts'

/** Where an engine may write, and what it is told. */
export interface Place extends Target {
  folder: string
  /** Where it answers. */
  port: number
  /** Another port, for what it says to itself. */
  inner: number
}

/** How the engines of one kind are started. */
export interface Kind {
  region: string
  /** Whether it refuses a PUT with `If-None-Match: *` where there is an object; otherwise it ignores the header. */
  isConditional: boolean
  /** Whether it lists the open uploads below a prefix; otherwise those of one object alone. */
  listsUploads: boolean
  /** Why it can't be started here, for a test's `skip`. */
  missing(): string | false
  /** Makes what has to be there before the first start. */
  prepare(place: Place): Promise<void>
  /** Starts its processes, in the order in which they need each other. */
  start(place: Place, started: (daemon: Daemon) => void): Promise<void>
  /** Makes the key, where that isn't told at the start. */
  makeKey?(place: Place): Promise<void>
}
