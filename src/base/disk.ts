import { statfsSync, statSync } from 'node:fs'
import { AppError } from './errors.ts'
import { sizeText } from './size-text.ts'

/** The reserve of the default settings: these bytes, or this part of the disk when that is less. */
const DEFAULT_RESERVE = 512 * 2 ** 20
const DEFAULT_PART = 0.02
/** The part of the reserve that is left to what must go on when nothing else does. */
const LAST_PART = 0.25
/** How long a measurement of the disk is good for, in milliseconds. */
const MEMORY = 1000

/** How much of a file is claimed ahead of what was written, in bytes: who claims may be slow. */
export const CLAIM_AHEAD = 64 * 2 ** 20

/** Room that is kept for a file that is being written. */
export interface Claim {
  /** Makes the claim large enough for more bytes. Throws insufficient_storage without room. */
  need(bytes: number): void
  /** Says that so many bytes of the claim are on the disk now. */
  wrote(bytes: number): void
  /** Gives up what was not written. */
  release(): void
}

/**
 * The disk of the library, a part of which stays free: people can't sign in or delete when nothing
 * can be written. What is claimed counts as if it were written already.
 */
export interface Disk {
  /** Returns how many bytes are free at this moment, or null when the file system doesn't tell. */
  free(): number | null
  /** Returns how many bytes may be written before the reserve is used, or null when the file system doesn't tell. */
  room(): number | null
  /** Returns whether the reserve is whole, as uploads, imports and derivatives need it. */
  hasRoom(): boolean
  /** Throws insufficient_storage unless the reserve is whole. */
  requireRoom(): void
  /** Throws insufficient_storage when so little is left that only signing in and deleting go on. */
  requireRoomToWrite(): void
  /**
   * Claims room for a file of that many bytes, piece by piece as it is written. Throws
   * insufficient_storage without room for all of it.
   */
  claim(bytes: number): Claim
  /** Returns the room for contents that are written on this disk and then moved to a folder, which is there. */
  towards(folder: string): ContentRoom
}

/** The room for contents: what is still to be moved to another disk needs room on both. */
export interface ContentRoom extends Pick<Disk, 'room' | 'requireRoom' | 'claim'> {
  /**
   * Claims room for a file of that many bytes which takes none before it is moved. Throws insufficient_storage without
   * room for all of it, or when the reserve of the first disk isn't whole.
   */
  claimMoved(bytes: number): Claim
}

interface Measurement {
  /** Bytes; infinite when the file system doesn't tell. */
  free: number
  reserve: number
  /** When it was made, in milliseconds of `performance.now`. */
  at: number
}

/**
 * Returns the disk that holds a folder; with a reserve of null it is the default for its size. It is
 * measured for each claim, else at most once a second, and again before anything is refused, so that
 * freed room counts at once. A claim for a file of so many bytes that finds no room throws what `full`
 * returns.
 */
export function createDisk(
  folder: string,
  reserve: number | null,
  full: (bytes: number) => AppError = diskFull,
): Disk {
  let last: Measurement = { free: 0, reserve: 0, at: Number.NEGATIVE_INFINITY }
  /** Bytes that were claimed and are not on the disk yet. */
  let claimed = 0
  /** Bytes that have come to the disk since it was measured. */
  let written = 0
  const measure = () => {
    last = measureDisk(folder, reserve)
    written = 0
  }
  const leaves = (part: number, bytes = 0) => {
    const isLeft = () => last.free - written - claimed - bytes >= last.reserve * part
    if (performance.now() - last.at < MEMORY && isLeft()) return true
    measure()
    return isLeft()
  }
  const requireLeft = (part: number) => {
    if (!leaves(part)) throw diskFull()
  }

  const disk: Disk = {
    free() {
      measure()
      return Number.isFinite(last.free) ? last.free : null
    },
    room() {
      measure()
      const room = last.free - claimed - last.reserve
      return Number.isFinite(room) ? Math.max(0, Math.floor(room)) : null
    },
    hasRoom: () => leaves(1),
    requireRoom: () => requireLeft(1),
    requireRoomToWrite: () => requireLeft(LAST_PART),
    claim(bytes) {
      let rest = 0
      /** Bytes that are still to be claimed. */
      let ahead = bytes
      const requirePiece = (piece: number) => {
        if (!leaves(1, piece)) throw full(bytes)
      }
      const need = (more: number) => {
        if (more <= rest) return
        const piece = Math.max(more - rest, Math.min(ahead, CLAIM_AHEAD))
        requirePiece(piece)
        rest += piece
        claimed += piece
        ahead = Math.max(0, ahead - piece)
      }
      const give = (done: number) => {
        rest -= done
        claimed -= done
      }
      // Other programs may have filled the disk since.
      measure()
      if (bytes > 0) requirePiece(bytes)
      need(Math.min(bytes, CLAIM_AHEAD))
      return {
        need,
        wrote(done) {
          give(done)
          written += done
        },
        release: () => give(rest),
      }
    },
    towards(target) {
      const isOneDisk = statSync(target).dev === statSync(folder).dev
      return isOneDisk ? roomOfOne(disk) : roomOfBoth(disk, createDisk(target, reserve))
    },
  }
  return disk
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
      // It isn't written piece by piece.
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
      // All of it comes to the other disk at the end.
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
    // Some network and virtual file systems say 0 for everything.
    free: size === 0 ? Number.POSITIVE_INFINITY : bsize * bavail,
    reserve: reserve ?? Math.min(DEFAULT_RESERVE, size * DEFAULT_PART),
    at: performance.now(),
  }
}

/** Returns what is missing, in words, when so many bytes are not free on the disk of a folder; else null. */
export function missingRoom(folder: string, bytes: number): string | null {
  const free = createDisk(folder, 0).free()
  if (free === null || free >= bytes) return null
  return `${sizeText(bytes)} are needed in ${folder}, where ${sizeText(free)} are free`
}

/** Returns the error for what the disk has no room for. */
export function diskFull(): AppError {
  return new AppError('insufficient_storage', "The server's disk is full")
}

/** SQLite's last one: the memory that its connections share could not be made larger. */
const OUT_OF_SPACE = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

/** Returns whether the file system or the database says that the disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  return OUT_OF_SPACE.has((error as NodeJS.ErrnoException).code ?? '')
}
