import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../base/config.ts'
import { dataFolder } from '../media/data-folder.ts'
import { writeSafely } from '../media/durable.ts'

/**
 * Returns JWT_SECRET or, without one, the key in the data folder, which is created when missing. Throws when the file
 * holds anything but a key.
 */
export function readSecret({
  jwtSecret,
  dataDir,
}: Pick<Config, 'jwtSecret' | 'dataDir'>): Uint8Array {
  if (jwtSecret !== null) return new TextEncoder().encode(jwtSecret)
  const { secretKey: path } = dataFolder(dataDir)
  if (!existsSync(path)) writeSafely(path, randomBytes(32).toString('hex'))
  const text = readFileSync(path, 'utf8').trim()
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex')
  throw new Error(`${path} does not hold the 64 hex digits that it should`)
}
