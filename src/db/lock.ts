import { AppError } from '../errors.ts'
import { type Db, openDatabase } from './client.ts'

/** A lock whose connection is collected as garbage is no lock. */
const held = new Set<Db>()

/**
 * Takes the lock that the file at `path` stands for; it is free again after `release`, and when the
 * process is gone, however it went. Throws conflict, with `message`, when it is taken.
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
