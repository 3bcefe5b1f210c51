import { statfsSync, statSync } from 'node:fs'
import { AppError } from './errors.ts'
import { sizeText } from './text.ts'

// The default reserve: these bytes, or this part of the disk when that is less.
const DEFAULT_RESERVE = 512 * 2 ** 20
const DEFAULT_PART = 0.02
// The part of the reserve that is left to what must go on when nothing else does.
const LAST_PART = 0.25
// How long a measurement of the disk stays valid, in milliseconds.
const MEMORY = 1000

/** How much of a file is claimed ahead of what was written, in bytes, because a claiming client may be slow. */
export const CLAIM_AHEAD = 64 * 2 ** 20

/** Room that is reserved for a file that is being written. */
export interface Claim {
  /** Makes the claim large enough for more bytes. Throws insufficient_storage without room. */
  need(bytes: number): void
  /** Records that this many bytes of the claim are on the disk now. */
  wrote(bytes: number): void
  /** Gives up what was not written. */
  release(): void
}

/**
 * The disk of the library, a part of which stays free: nobody could sign in or delete when nothing can be written.
 * Claimed bytes count as if they were already written.
 */
export interface Disk {
  /** Returns how many bytes are free at this moment, or null when the file system doesn't report it. */
  free(): number | null
  /**
   * Returns how many bytes may be written before the reserve is used, or null when the file system doesn't report it.
   */
  room(): number | null
  /** Returns whether the reserve is whole, which uploads, imports and derivatives require. */
  hasRoom(): boolean
  /** Throws insufficient_storage unless the reserve is whole. */
  requireRoom(): void
  /** Throws insufficient_storage when there is so little left that only signing in and deleting are possible. */
  requireRoomToWrite(): void
  /**
   * Claims room for a file of that many bytes, piece by piece as it is written. Throws insufficient_storage without
   * room for all of it.
   */
  claim(bytes: number): Claim
  /** Returns the room for contents that are written on this disk and then moved to an existing folder. */
  towards(folder: string): ContentRoom
}

/** The room for contents: what is still to be moved to another disk needs room on both. */
export interface ContentRoom extends Pick<Disk, 'room' | 'requireRoom' | 'claim'> {
  /**
   * Claims room for a file of that many bytes that takes none before it is moved. Throws insufficient_storage without
   * room for all of it, or when the reserve of the first disk isn't whole.
   */
  claimMoved(bytes: number): Claim
}

interface Measurement {
  /** Bytes; infinite when the file system doesn't report it. */
  free: number
  reserve: number
  /** When it was taken, in milliseconds of `performance.now`. */
  at: number
}

/**
 * Returns the disk that holds a folder; a reserve of null is the default for its size. The disk is measured for each
 * claim, otherwise at most once a second, and again before anything is refused, so that freed room counts at once. A
 * claim that finds no room throws what `full` returns for the bytes of the file.
 */
export function createDisk(
  folder: string,
  reserve: number | null,
  full: (bytes: number) => AppError = diskFull,
): Disk {
  const meter = createMeter(folder, reserve)
  const requireLeft = (part: number) => {
    if (!meter.leaves(part)) throw diskFull()
  }
  const disk: Disk = {
    free() {
      const { free } = meter.measure()
      return Number.isFinite(free) ? free : null
    },
    room() {
      const { free, reserve } = meter.measure()
      const room = free - meter.claimed - reserve
      return Number.isFinite(room) ? Math.max(0, Math.floor(room)) : null
    },
    hasRoom: () => meter.leaves(1),
    requireRoom: () => requireLeft(1),
    requireRoomToWrite: () => requireLeft(LAST_PART),
    claim: (bytes) => claimOf(meter, bytes, full),
    towards(target) {
      const isOneDisk = statSync(target).dev === statSync(folder).dev
      return isOneDisk ? roomOfOne(disk) : roomOfBoth(disk, createDisk(target, reserve))
    },
  }
  return disk
}

type Meter = ReturnType<typeof createMeter>

function createMeter(folder: string, reserve: number | null) {
  let last: Measurement = { free: 0, reserve: 0, at: Number.NEGATIVE_INFINITY }
  const meter = {
    /** Bytes that were claimed and are not on the disk yet. */
    claimed: 0,
    /** Bytes that have been written to the disk since it was measured. */
    written: 0,
    measure(): Measurement {
      last = measureDisk(folder, reserve)
      meter.written = 0
      return last
    },
    leaves(part: number, bytes = 0): boolean {
      const isLeft = () => last.free - meter.written - meter.claimed - bytes >= last.reserve * part
      if (performance.now() - last.at < MEMORY && isLeft()) return true
      meter.measure()
      return isLeft()
    },
  }
  return meter
}

function claimOf(meter: Meter, bytes: number, full: (bytes: number) => AppError): Claim {
  let rest = 0
  // Bytes that are still to be claimed.
  let unclaimed = bytes
  const requirePiece = (piece: number) => {
    if (!meter.leaves(1, piece)) throw full(bytes)
  }
  const need = (more: number) => {
    if (more <= rest) return
    const piece = Math.max(more - rest, Math.min(unclaimed, CLAIM_AHEAD))
    requirePiece(piece)
    rest += piece
    meter.claimed += piece
    unclaimed = Math.max(0, unclaimed - piece)
  }
  const give = (done: number) => {
    rest -= done
    meter.claimed -= done
  }
  // Other programs may have filled the disk since.
  meter.measure()
  if (bytes > 0) requirePiece(bytes)
  need(Math.min(bytes, CLAIM_AHEAD))
  return {
    need,
    wrote(done) {
      give(done)
      meter.written += done
    },
    release: () => give(rest),
  }
}

function roomOfOne(disk: Disk): ContentRoom {
  const requireRoom = () => disk.requireRoom()
  return {
    room: () => disk.room(),
    requireRoom,
    claim: (bytes) => disk.claim(bytes),
    claimMoved() {
      requireRoom()
      return disk.claim(0)
    },
  }
}

function roomOfBoth(first: Disk, second: Disk): ContentRoom {
  const requireRoom = () => {
    first.requireRoom()
    second.requireRoom()
  }
  return {
    room() {
      const rooms = [first.room(), second.room()].filter((room) => room !== null)
      return rooms.length > 0 ? Math.min(...rooms) : null
    },
    requireRoom,
    claim(bytes) {
      const toWrite = first.claim(bytes)
      try {
        return claimOfBoth(toWrite, second.claim(bytes))
      } catch (error) {
        toWrite.release()
        throw error
      }
    },
    claimMoved(bytes) {
      requireRoom()
      const claim = second.claim(bytes)
      // A moved file isn't written piece by piece.
      claim.need(bytes)
      return claim
    },
  }
}

function claimOfBoth(toWrite: Claim, toMove: Claim): Claim {
  let written = 0
  return {
    need(bytes) {
      toWrite.need(bytes)
      toMove.need(written + bytes)
    },
    wrote(bytes) {
      toWrite.wrote(bytes)
      // All of it arrives on the other disk at the end.
      written += bytes
    },
    release() {
      toWrite.release()
      toMove.release()
    },
  }
}

function measureDisk(folder: string, reserve: number | null): Measurement {
  const { bsize, blocks, bavail } = statfsSync(folder)
  const size = bsize * blocks
  return {
    // Some network and virtual file systems report 0 for everything.
    free: size === 0 ? Number.POSITIVE_INFINITY : bsize * bavail,
    reserve: reserve ?? Math.min(DEFAULT_RESERVE, size * DEFAULT_PART),
    at: performance.now(),
  }
}

/** Returns a description of what is missing when `bytes` aren't free on the disk of a folder, otherwise null. */
export function missingRoom(folder: string, bytes: number): string | null {
  const free = createDisk(folder, 0).free()
  if (free === null || free >= bytes) return null
  return `${sizeText(bytes)} are needed in ${folder}, where ${sizeText(free)} are free`
}

export function diskFull(): AppError {
  return new AppError('insufficient_storage', "The server's disk is full")
}

// The last code is SQLite's: the memory that its connections share could not grow.
const OUT_OF_SPACE = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

/** Returns whether the file system or the database reports that the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  return OUT_OF_SPACE.has((error as NodeJS.ErrnoException).code ?? '')
}
