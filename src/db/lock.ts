import { existsSync } from 'node:fs'
import { AppError } from '../base/errors.ts'
import { openLocked } from './client.ts'

/** Connections kept from garbage collection, which would release their locks. */
const held = new Set<{ close(): void }>()

/** Whoever only looks at a lock has it for a moment. In milliseconds. */
const PATIENCE = 1000

/**
 * Takes the lock that the file at `path` stands for. It is free again after `release`, or when the
 * process has ended, however that came about. Throws conflict, with `message`, when it is taken and stays so
 * for `patience` milliseconds, for which the whole process waits.
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

/** Returns whether somebody holds the lock that the file at `path` stands for; it is taken for a moment. */
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
