import { AppError } from '../errors.ts'
import { type Db, openDatabase } from './client.ts'

/** Connections kept from garbage collection, which would release their locks. */
const held = new Set<Db>()

/**
 * Takes the lock that the file at `path` stands for. It is free again after `release`, or when the
 * process has ended, however that came about. Throws conflict, with `message`, when it is taken.
 */
export function acquireLock(path: string, message: string): { release(): void } {
  let connection: Db | undefined
  try {
    connection = openDatabase(path)
    connection.get('PRAGMA busy_timeout = 0')
    connection.run('BEGIN EXCLUSIVE')
  } catch (error) {
    connection?.close()
    if (!isBusy(error)) throw error
    throw new AppError('conflict', message)
  }
  held.add(connection)
  return {
    release() {
      if (!held.delete(connection)) return
      connection.run('ROLLBACK')
      connection.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
}
