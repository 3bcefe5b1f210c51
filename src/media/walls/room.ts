import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { chmod, chown, constants, copyFile, link, lstat, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { clear } from '../clear.ts'
import type { Request } from '../decoder/request.ts'
import { NO_LINK } from '../durable.ts'
import { DECODER_GROUP, isDecoder, letPass } from './user.ts'

/** Where a child finds what it reads, and leaves what it makes. */
export interface Room {
  path: string
  /**
   * Puts what a job reads into the room, and returns the request with the paths that the child sees. Throws the file
   * system's errors, and RoomLost when the room is gone.
   */
  lend(id: number, request: Request): Promise<Request>
  /**
   * Takes back what was lent for a job and, if the job says that it has made something, moves this to where its
   * request wants it. Returns `lost` when the room is gone, or was while the child worked, `closed` when the child
   * has changed the rights to enter, and `odd` when what it has made is no file of its own; that is removed.
   */
  takeBack(id: number, hasMade: boolean): Promise<'done' | 'lost' | 'closed' | 'odd'>
  /** Removes the room, when the child is gone. */
  remove(): void
}

/** Says that a room has been swept away. */
export class RoomLost extends Error {}

// In bytes; the largest picture that is made has 100 million pixels.
const MOST_MADE = 2 ** 29
const READ_ONLY = 0o440
const PRIVATE = 0o600
const OPEN = 0o700

/** Returns the paths that a job reads. */
export function inputsOf(request: Request): string[] {
  const thumbnail = request.op === 'look' ? request.thumbnail : null
  return thumbnail === null ? [request.path] : [request.path, thumbnail]
}

/**
 * Makes a room in a folder, for a child behind namespaces or one that is another user, and throws the file system's
 * errors. `leaving` holds what is being removed.
 *
 * `in` holds links to the contents themselves. Namespaces show it for reading only. To another user, who may neither
 * write to a file that its group may read, nor change it, the contents are lent as such, or as copies where these cost
 * nothing.
 */
export function makeRoom(
  folder: string,
  { user, leaving }: { user: number | null; leaving: Set<Promise<void>> },
): Room {
  const { path, own, output } = makeFolders(folder, user)
  const requests = new Map<number, Request>()
  const put = createLender(user)
  const take = (from: string, to: string) => takeMade(from, to, user !== null)

  return {
    path,
    async lend(id, request) {
      requests.set(id, request)
      const seen = asSeen(id, request)
      for (const [n, from] of inputsOf(request).entries()) {
        try {
          await put(from, join(path, inputsOf(seen)[n]!))
        } catch (error) {
          if (!(await areThere([own, output]))) throw new RoomLost()
          const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT'
          // A content can be looked at without its thumbnail.
          if (!isAbsent || n === 0) throw error
          return { ...seen, thumbnail: null } as Request
        }
      }
      return seen
    },
    async takeBack(id, hasMade) {
      const request = requests.get(id)
      if (!request) return 'done'
      requests.delete(id)
      if (isClosed(output)) return 'closed'
      const seen = asSeen(id, request)
      let state: 'done' | 'lost' | 'odd' = 'done'
      const made = join(output, String(id))
      const made640 = `${made}.640`
      if (hasMade && 'output' in request) {
        const taken = await take(made, request.output)
        if (taken === 'absent') state = (await areThere([own, output])) ? 'odd' : 'lost'
        else state = taken
        if (request.output640 !== undefined && existsSync(made640)) {
          if ((await take(made640, request.output640)) === 'odd') state = 'odd'
        }
      }
      if (!hasMade && 'output' in request) discard([made, made640])
      // What is missing by now has been swept away while it was read.
      const lent = inputsOf(seen).map((name) => join(path, name))
      const isWhole = existsSync(lent[0]!)
      for (const each of lent) void rm(each, { force: true }).catch(() => {})
      return isWhole ? state : 'lost'
    },
    remove() {
      const left = clear(path)
        .then(() => rmdir(folder))
        .catch(() => {})
        .finally(() => leaving.delete(left))
      leaving.add(left)
    },
  }
}

function discard(paths: string[]): void {
  for (const path of paths) void clear(path).catch(() => {})
}

async function areThere(paths: string[]): Promise<boolean> {
  const found = await Promise.allSettled(paths.map((path) => lstat(path)))
  return found.every(({ status }) => status === 'fulfilled')
}

// Returns whether nobody can write to a folder, which belongs to the child, any more.
function isClosed(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false })
  return status !== undefined && (status.mode & 0o777) !== OPEN
}

function makeFolders(folder: string, user: number | null) {
  const path = join(folder, randomBytes(8).toString('hex'))
  const input = join(path, 'in')
  const output = join(path, 'out')
  const own = join(input, 'own')
  for (const made of [folder, path, input, output]) mkdirSync(made, { recursive: true, mode: OPEN })
  writeFileSync(own, '', { mode: PRIVATE })
  // Where there are no links, such as on exFAT, each job would copy its whole content.
  linkSync(own, join(input, 'link'))
  rmSync(join(input, 'link'))
  if (user !== null) {
    for (const way of [input, path, folder, dirname(folder), dirname(dirname(folder))]) letPass(way)
    chownSync(own, process.getuid!(), DECODER_GROUP)
    chmodSync(own, READ_ONLY)
    chownSync(output, user, DECODER_GROUP)
  }
  return { path, own, output }
}

// What is returned puts a content into a room, in the cheapest way that works.
function createLender(user: number | null): (from: string, to: string) => Promise<void> {
  let hasReflinks = user !== null
  const copy = async (from: string, to: string, mode: number) => {
    await copyFile(from, to, mode)
    if (user !== null) await chown(to, process.getuid!(), DECODER_GROUP)
    await chmod(to, READ_ONLY)
  }
  return async (from, to) => {
    if (hasReflinks) {
      try {
        return await copy(from, to, constants.COPYFILE_FICLONE_FORCE)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
        hasReflinks = false
        await rm(to, { force: true })
      }
    }
    try {
      if (user !== null && !(await lendToGroup(from))) return await copy(from, to, 0)
      await link(from, to)
    } catch (error) {
      if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      await copy(from, to, constants.COPYFILE_FICLONE)
    }
  }
}

// Moves what was made to a place that the child doesn't see before it is checked.
async function takeMade(
  from: string,
  to: string,
  isOfOther: boolean,
): Promise<'done' | 'absent' | 'odd'> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent'
    throw error
  }
  // Synchronous because this is quick; otherwise the decoder would wait for a turn of the server.
  const made = lstatSync(to)
  if (!made.isFile() || made.nlink !== 1 || made.size > MOST_MADE) {
    await clear(to)
    return 'odd'
  }
  if (isOfOther) {
    await chown(to, process.getuid!(), process.getgid!())
    await chmod(to, PRIVATE)
  }
  return 'done'
}

function asSeen(id: number, request: Request): Request {
  const path = `in/${id}`
  if (request.op === 'look') {
    return { ...request, path, thumbnail: request.thumbnail === null ? null : `${path}.thumbnail` }
  }
  if (!('output' in request)) return { ...request, path }
  const { output640 } = request
  const output = `out/${id}`
  return { ...request, path, output, output640: output640 && `${output}.640` }
}

// Afterwards, only its owner can write to the file; returns whether that is so.
async function lendToGroup(path: string): Promise<boolean> {
  const { uid, gid, mode } = lstatSync(path)
  if (isDecoder(uid)) return false
  if (gid !== DECODER_GROUP) await chown(path, uid, DECODER_GROUP)
  if ((mode & 0o777) !== READ_ONLY) await chmod(path, READ_ONLY)
  return true
}
