import { AppError } from '../errors.ts'
import { openLocked } from './client.ts'

/** Connections kept from garbage collection, which would release their locks. */
const held = new Set<{ close(): void }>()

/**
 * Takes the lock that the file at `path` stands for. It is free again after `release`, or when the
 * process has ended, however that came about. Throws conflict, with `message`, when it is taken.
 */
export function acquireLock(path: string, message: string): { release(): void } {
  try {
    const lock = openLocked(path)
    held.add(lock)
    return {
      release() {
        if (held.delete(lock)) lock.close()
      },
    }
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new AppError('conflict', message)
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
}
