import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { WALLS, type WallLevel } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import { isOfDisk } from '../outcome.ts'
import { behindLandlock, pathsToRun } from './landlock.ts'
import { withoutRoom } from './open.ts'
import { makeRoom, type Room } from './room.ts'
import { asUserOfChild, giveBackUser, killAllOf, killingAllOf, takeUser } from './user.ts'

/** How children are shut off from what isn't theirs. */
export interface WallsOptions {
  /** The level that is tried first. */
  strongest: WallLevel
  /** Where children get their rooms: on the file system of the contents and of what is made of them. */
  rooms: string
  /** Paths of files that no child may open. */
  secrets: string[]
  /** Milliseconds in which a child behind walls has to start; otherwise it is started with fewer walls. */
  startLimit?: number
}

/** What a new child gets. */
export interface Enclosure {
  level: WallLevel
  room: Room
  /** What precedes the child's program on its command line. */
  line: string[]
  /** Where it starts, and the additions to its environment. */
  cwd: string | undefined
  env: NodeJS.ProcessEnv
  /** What it tries to open at its start, and reports; null for nothing. */
  tries: Tries | null
  /** Milliseconds. */
  startLimit: number | undefined
  /** Kills what the child has left running; called when it has ended. */
  killStrays(): void
  /** The command line that does so when the server has ended; empty where nothing does. */
  lastWill: string[]
  /** Gives back what the child had, including its room, and its user once none of that user's processes runs. */
  leave(): void
}

/** Paths, as the child sees them, and where the server listens. */
export interface Tries {
  secrets: string[]
  input: string
  /** Null once the level is proven: it shows whether a film can be read there. */
  ffmpeg: string | null
  server: { host: string; port: number } | null
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

// In milliseconds; with little processor time to spare, a runtime takes seconds to load the decoder.
const START_LIMIT = 30_000
// Node fails when it may not open the settings of OpenSSL.
const ENVIRONMENT = { TMPDIR: 'out', OPENSSL_CONF: '/dev/null' }
// What versions of bubblewrap before 0.8 print for a newer option.
const OLDER = /unknown option/i

/** Returns the walls of a decoder that works with this ffmpeg; without options there are none but the environment. */
export function createWalls(
  options: WallsOptions | undefined,
  { log, ffmpeg }: { log: Log; ffmpeg: string | null },
): Walls {
  const isPossible = options !== undefined && process.platform === 'linux'
  let level: WallLevel = isPossible ? options.strongest : 'environment'
  let server: Tries['server'] = null
  let isOlder = false
  let isFound = false
  let isTold = false
  const reasons: Partial<Record<WallLevel, string>> = {}
  const leaving = new Set<Promise<void>>()

  const show = () => {
    if (isTold) log.info('the walls of the decoder', { walls: level, ...reasons })
  }
  // Only root can start something as another user.
  const passOverUser = () => {
    if (level !== 'user' || process.getuid?.() === 0) return
    reasons.user = 'the server is not root'
    level = 'environment'
  }
  const fall = (from: WallLevel, reason: string) => {
    // The other child may have been first.
    if (level !== from) return
    reasons[from] = reason.trim().slice(0, 300)
    level = WALLS[WALLS.indexOf(from) + 1]!
    passOverUser()
    if (isFound) log.warn('the decoder has lost a wall', { from, to: level, reason: reasons[from] })
    isFound = false
  }
  passOverUser()
  const found = (at: WallLevel) => {
    if (isFound || at !== level) return
    isFound = true
    show()
  }
  const killAll = async (user: number) => {
    const isSure = await killAllOf(user).catch(() => false)
    if (!isSure) log.error('what the decoder has left running can not be killed', { user })
    return isSure
  }
  const makeRoomOf = (user: number | null): Room => {
    try {
      return makeRoom(options!.rooms, { user, leaving })
    } catch (error) {
      if (user !== null) giveBackUser(user)
      throw error
    }
  }
  const enterAt = (at: WallLevel): Enclosure => {
    if (at === 'environment') {
      const none = { line: [], cwd: undefined, env: {}, tries: null, startLimit: undefined }
      return {
        level: at,
        room: withoutRoom(log),
        ...none,
        killStrays() {},
        lastWill: [],
        leave() {},
      }
    }
    const { secrets, startLimit = START_LIMIT } = options!
    const user = at === 'user' ? takeUser() : null
    const room = makeRoomOf(user)
    const line =
      at === 'namespaces'
        ? behindNamespaces({ room: room.path, ffmpeg, isOlder })
        : user === null
          ? behindLandlock({ room: room.path, ffmpeg })
          : asUserOfChild(user)
    const paths = secrets.flatMap((path) => [path, realPath(path)])
    // Behind namespaces, that number is of another process.
    if (at !== 'namespaces') paths.push(`/proc/${process.pid}/environ`)
    const tries = {
      secrets: [...new Set(paths)],
      input: join('in', 'own'),
      ffmpeg: isFound ? null : ffmpeg,
      server: at === 'user' ? null : server,
    }
    const cwd = at === 'namespaces' ? '/' : room.path
    // Resolves with whether nothing is left; a child that never existed has left nothing.
    let killing = Promise.resolve(true)
    return {
      ...{ level: at, room, line, cwd, env: ENVIRONMENT, tries, startLimit },
      killStrays() {
        if (user !== null) killing = killAll(user)
      },
      lastWill: user === null ? [] : killingAllOf(user),
      leave() {
        const left = killing.then((isSure) => {
          room.remove()
          if (user !== null && isSure) giveBackUser(user)
          leaving.delete(left)
        })
        leaving.add(left)
      },
    }
  }

  return {
    enter() {
      for (;;) {
        try {
          return enterAt(level)
        } catch (error) {
          if (level === 'environment' || !isOfWalls(error)) throw error
          fall(level, String(error))
        }
      }
    },
    judge({ level: at, tries }, opened) {
      // Another user shares the network.
      const broken = opened.filter((door) => at !== 'user' || door !== 'network')
      if (broken.length === 0 || tries === null) {
        found(at)
        return true
      }
      fall(at, `open: ${broken.join(', ')}`)
      return false
    },
    failed({ level: at }, reason) {
      if (at === 'environment') return false
      if (at === 'namespaces' && !isOlder && OLDER.test(reason)) isOlder = true
      else fall(at, reason)
      return true
    },
    lost({ level: at }, hasServed) {
      if (hasServed) log.warn('the folder of the decoder is gone, and made again', { walls: at })
      else fall(at, 'its folder is gone')
    },
    tell(address) {
      server = address
      isTold = true
      if (level === 'environment') isFound = true
      if (isFound) show()
      return !isFound
    },
    state() {
      const isKnown = isFound || level === 'environment'
      const told = Object.entries(reasons).map(([of, reason]) => `${of}: ${reason}`)
      return { level: isKnown ? level : null, reason: told.join('; ') || null }
    },
    async close() {
      // Killing leads to removals, which are added meanwhile.
      while (leaving.size > 0) await Promise.all(leaving)
    },
  }
}

// Returns where a path leads; the folder of a file that doesn't exist yet may also be a link.
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}

// Codes of what is short in the whole system.
const SHORT = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

function isOfWalls(error: unknown): boolean {
  return !isOfDisk(error) && !SHORT.has((error as NodeJS.ErrnoException).code ?? '')
}

interface Behind {
  /** The path of the child's room. */
  room: string
  /** Its name or path. */
  ffmpeg: string | null
  /** Whether bubblewrap is of a version before 0.8. */
  isOlder: boolean
}

// Returns the start of a command line that runs what follows, by bubblewrap, with no network, no other processes, and
// no files but those of the runtime, its program and ffmpeg, none of which it can write to. `in` and `out` of its room
// are below the folder in which it starts, and it writes to `out` alone.
function behindNamespaces({ room, ffmpeg, isOlder }: Behind): string[] {
  return [
    'bwrap',
    ...['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL'],
    ...(isOlder ? [] : ['--disable-userns']),
    ...pathsToRun(ffmpeg).flatMap(bound),
    ...['--proc', '/proc', '--dev', '/dev', '--remount-ro', '/dev'],
    // Root without rights may still write to what root owns there.
    ...['--ro-bind', '/proc/sys', '/proc/sys'],
    ...['--ro-bind', join(room, 'in'), '/room/in', '--bind', join(room, 'out'), '/room/out'],
    ...['--remount-ro', '/', '--chdir', '/room', '--'],
  ]
}

function bound(path: string): string[] {
  const real = realpathSync(path)
  return ['--ro-bind', real, real, ...(real === path ? [] : ['--ro-bind', real, path])]
}
