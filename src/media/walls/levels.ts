import { WALLS, type WallLevel } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import { isOfDisk } from '../outcome.ts'
import {
  type Enclosure,
  enclosureAt,
  type Surroundings,
  type Tries,
  withoutWalls,
} from './enclosure.ts'

/** How children are shut off from what isn't theirs. */
export interface WallsOptions extends Pick<Surroundings, 'rooms' | 'secrets' | 'startLimit'> {
  /** The level that is tried first. */
  strongest: WallLevel
}

/** The walls of all children of one decoder. */
export interface Walls {
  /** Returns what a new child is started with. Throws when the system has no room, or no open file, for it. */
  enter(): Enclosure
  /** Notes that a child has started, and that the doors in the list opened; returns whether it may stay. */
  judge(enclosure: Enclosure, opened: string[]): boolean
  /** Notes that a child did not start, and why; returns whether another one should be tried at once. */
  failed(enclosure: Enclosure, reason: string): boolean
  /** Notes that a child's room is gone; `hasServed` says whether any job has been done there. */
  lost(enclosure: Enclosure, hasServed: boolean): void
  /**
   * Has the level logged when it is found, which takes a child that starts: returns whether one has to. The address is
   * where the server listens.
   */
  tell(server: { host: string; port: number }): boolean
  /** Returns which walls hold, or that this isn't proven yet, and why no stronger ones do. */
  state(): WallsState
  /** Resolves when no room is left. */
  close(): Promise<void>
}

export interface WallsState {
  /** Null until a child has started behind them. */
  level: WallLevel | null
  /** A reason for each stronger level, with its name; null where there is none. */
  reason: string | null
}

// What versions of bubblewrap before 0.8 print for a newer option.
const OLDER = /unknown option/i

/** Returns the walls of a decoder that works with this ffmpeg; without options there are none but the environment. */
export function createWalls(
  options: WallsOptions | undefined,
  { log, ffmpeg }: { log: Log; ffmpeg: string | null },
): Walls {
  const isPossible = options !== undefined && process.platform === 'linux'
  const descent = beginDescent(isPossible ? options.strongest : 'environment', log)
  let server: Tries['server'] = null
  let isOlder = false
  const leaving = new Set<Promise<void>>()
  const enterAt = (level: WallLevel): Enclosure => {
    if (level === 'environment') return withoutWalls(log)
    const isProven = descent.isFound()
    return enclosureAt(level, { ...options!, ffmpeg, log, leaving }, { server, isProven, isOlder })
  }

  return {
    enter() {
      for (;;) {
        const level = descent.level()
        try {
          return enterAt(level)
        } catch (error) {
          if (level === 'environment' || !isOfWalls(error)) throw error
          descent.fall(level, String(error))
        }
      }
    },
    judge({ level, tries }, opened) {
      // Another user shares the network.
      const broken = opened.filter((door) => level !== 'user' || door !== 'network')
      const holds = broken.length === 0 || tries === null
      if (holds) descent.found(level)
      else descent.fall(level, `open: ${broken.join(', ')}`)
      return holds
    },
    failed({ level }, reason) {
      if (level === 'environment') return false
      if (level === 'namespaces' && !isOlder && OLDER.test(reason)) isOlder = true
      else descent.fall(level, reason)
      return true
    },
    lost({ level }, hasServed) {
      if (hasServed) log.warn('the folder of the decoder is gone, and made again', { walls: level })
      else descent.fall(level, 'its folder is gone')
    },
    tell(address) {
      server = address
      return descent.tell()
    },
    state: descent.state,
    async close() {
      // Killing leads to removals, which are added meanwhile.
      while (leaving.size > 0) await Promise.all(leaving)
    },
  }
}

// Goes from the strongest level to weaker ones, until one is found that holds.
function beginDescent(strongest: WallLevel, log: Log) {
  let level = strongest
  let isFound = false
  let isReported = false
  const reasons: Partial<Record<WallLevel, string>> = {}
  const show = () => {
    if (isReported) log.info('the walls of the decoder', { walls: level, ...reasons })
  }
  // Only root can start something as another user.
  const passOverUser = () => {
    if (level !== 'user' || process.getuid?.() === 0) return
    reasons.user = 'the server is not root'
    level = 'environment'
  }
  passOverUser()
  return {
    level: () => level,
    isFound: () => isFound,
    fall(from: WallLevel, reason: string): void {
      // The other child may have been first.
      if (level !== from) return
      reasons[from] = reason.trim().slice(0, 300)
      level = WALLS[WALLS.indexOf(from) + 1]!
      passOverUser()
      if (isFound) {
        log.warn('the decoder has lost a wall', { from, to: level, reason: reasons[from] })
      }
      isFound = false
    },
    found(at: WallLevel): void {
      if (isFound || at !== level) return
      isFound = true
      show()
    },
    /** Returns whether a level is still to be found. */
    tell(): boolean {
      isReported = true
      if (level === 'environment') isFound = true
      if (isFound) show()
      return !isFound
    },
    state(): WallsState {
      const isKnown = isFound || level === 'environment'
      const parts = Object.entries(reasons).map(([of, reason]) => `${of}: ${reason}`)
      return { level: isKnown ? level : null, reason: parts.join('; ') || null }
    },
  }
}

// Codes of what is short in the whole system.
const SHORT = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

function isOfWalls(error: unknown): boolean {
  return !isOfDisk(error) && !SHORT.has((error as NodeJS.ErrnoException).code ?? '')
}
