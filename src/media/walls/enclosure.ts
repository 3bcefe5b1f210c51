import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { WallLevel } from '../../base/enums.ts'
import type { Log } from '../../base/log.ts'
import { behindLandlock, pathsToRun } from './landlock.ts'
import { withoutRoom } from './open.ts'
import { makeRoom, type Room } from './room.ts'
import { asUserOfChild, giveBackUser, killAllOf, killingAllOf, takeUser } from './user.ts'

/** What the children of one decoder have in common. */
export interface Surroundings {
  /** Where children get their rooms: on the file system of the contents and of what is made of them. */
  rooms: string
  /** Paths of files that no child may open. */
  secrets: string[]
  /** Milliseconds in which a child behind walls has to start; otherwise it is started with fewer walls. */
  startLimit?: number
  /** Its name or path. */
  ffmpeg: string | null
  log: Log
  /** What is being removed. */
  leaving: Set<Promise<void>>
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

// In milliseconds; with little processor time to spare, a runtime takes seconds to load the decoder.
const START_LIMIT = 30_000
// Node fails when it may not open the settings of OpenSSL.
const ENVIRONMENT = { TMPDIR: 'out', OPENSSL_CONF: '/dev/null' }
/** Returns what a child without walls gets. */
export function withoutWalls(log: Log): Enclosure {
  return {
    level: 'environment',
    room: withoutRoom(log),
    ...{ line: [], cwd: undefined, env: {}, tries: null, startLimit: undefined, lastWill: [] },
    killStrays() {},
    leave() {},
  }
}

/**
 * Returns what a child behind walls gets. It tries no ffmpeg where the level is proven; bubblewrap is older when it is
 * of a version before 0.8. Throws the file system's errors, and those of a level that the system doesn't have.
 */
export function enclosureAt(
  level: Exclude<WallLevel, 'environment'>,
  around: Surroundings,
  { server, isProven, isOlder }: Pick<Tries, 'server'> & { isProven: boolean; isOlder: boolean },
): Enclosure {
  const { ffmpeg, leaving, startLimit = START_LIMIT } = around
  const user = level === 'user' ? takeUser() : null
  const room = makeRoomOf(user, around)
  const line =
    level === 'namespaces'
      ? behindNamespaces({ room: room.path, ffmpeg, isOlder })
      : user === null
        ? behindLandlock({ room: room.path, ffmpeg })
        : asUserOfChild(user)
  const tries = {
    secrets: secretsAt(level, around.secrets),
    input: join('in', 'own'),
    ffmpeg: isProven ? null : ffmpeg,
    server: level === 'user' ? null : server,
  }
  const cwd = level === 'namespaces' ? '/' : room.path
  // Resolves with whether nothing is left; a child that never existed has left nothing.
  let killing = Promise.resolve(true)
  return {
    ...{ level, room, line, cwd, env: ENVIRONMENT, tries, startLimit },
    killStrays() {
      if (user !== null) killing = killAll(user, around.log)
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

function makeRoomOf(user: number | null, { rooms, leaving }: Surroundings): Room {
  try {
    return makeRoom(rooms, { user, leaving })
  } catch (error) {
    if (user !== null) giveBackUser(user)
    throw error
  }
}

async function killAll(user: number, log: Log): Promise<boolean> {
  const isSure = await killAllOf(user).catch(() => false)
  if (!isSure) log.error('what the decoder has left running can not be killed', { user })
  return isSure
}

function secretsAt(level: WallLevel, secrets: string[]): string[] {
  const paths = secrets.flatMap((path) => [path, realPath(path)])
  // Behind namespaces, that number is of another process.
  if (level !== 'namespaces') paths.push(`/proc/${process.pid}/environ`)
  return [...new Set(paths)]
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
