import { existsSync } from 'node:fs'
import { dataFolder } from './data-folder.ts'

/** Throws a readable error while a restore into a data folder is unfinished. */
export function requireRestored(dataDir: string): void {
  if (!existsSync(dataFolder(dataDir).restoring)) return
  throw new Error(`A restore into ${dataDir} has not come to its end: run it again`)
}
