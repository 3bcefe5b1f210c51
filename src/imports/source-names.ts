import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { dataFolder } from '../media/data-folder.ts'

/** How the journal names sources. */
export interface SourceNames {
  /**
   * Returns the name of the source at an absolute path without links: a path from the data folder if it lies there, so
   * that it stays the same when the library is moved, and else that path, so that alternating import folders have
   * different names.
   */
  of(path: string): string
  /** Returns the present form of a name in the journal, which an older version may have written. */
  today(name: string): string
  /** Returns the names that older versions may have given to a source, by its present name. */
  earlier(name: string): string[]
}

/** Returns the names of sources for a data folder and the configured import folder, given without links. */
export function sourceNames(dataDir: string, base: string): SourceNames {
  const inside = `${dataDir}/`
  // Of what is in the data folder, this alone may be imported.
  const imports = `${basename(dataFolder(dataDir).imports)}/`
  const of = (path: string) => (path.startsWith(inside) ? path.slice(inside.length) : path)
  // At first, sources were named by absolute paths, and then by those from the configured folder.
  const today = (name: string) =>
    isAbsolute(name) || name.startsWith(imports) ? of(name) : of(join(base, name))
  return {
    of,
    today,
    earlier(name) {
      const path = resolve(dataDir, name)
      const names = [path, relative(base, path)]
      return names.filter((other) => other !== name && today(other) === name)
    },
  }
}
