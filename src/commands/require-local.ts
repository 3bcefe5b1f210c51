import type { Config } from '../base/config.ts'

/** Throws a readable error when the contents are in a store: the command is for those in the data folder. */
export function requireLocal({ store }: Pick<Config, 'store'>, command: string): void {
  if (!store) return
  throw new Error(`"tagstead ${command}" is for contents in DATA_DIR, and CONTENTS names a store`)
}
