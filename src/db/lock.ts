import { existsSync } from 'node:fs'
import { AppError } from '../base/errors.ts'
import { openLocked } from './client.ts'

// Referenced here, because garbage collection would release the locks.
const held = new Set<{ close(): void }>()

// Milliseconds. A process that only looks at a lock holds it for a moment.
const PATIENCE = 1000

/**
 * Takes the lock that the file at `path` stands for, until `release` or the end of the process, however that comes
 * about. Throws conflict, with `message`, when the lock stays held for `patience` milliseconds, during which the whole
 * process is blocked.
 */
export function acquireLock(
  path: string,
  message: string,
  patience = PATIENCE,
): { release(): void } {
  try {
    const lock = openLocked(path, patience)
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

/** Returns whether the lock that the file at `path` stands for is held, which takes it for a moment. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    openLocked(path, 0).close()
    return false
  } catch (error) {
    if (!isBusy(error)) throw error
    return true
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
}
