import { join } from 'node:path'
import { isoTime } from '../base/time.ts'
import { pathInShelf } from './data-folder.ts'

/**
 * Returns the paths of everything in a folder of backups: each content once, and a folder for each generation. No name
 * has a character that exFAT or a Windows share refuses.
 */
export function backupFolder(dir: string) {
  const contents = join(dir, 'contents')
  const generations = join(dir, 'generations')
  return {
    lock: join(dir, 'lock'),
    /** Exists only for a moment, to see whether the disk shares blocks. */
    sharing: join(dir, 'sharing.part'),
    contents,
    generations,
    shelf: (shelf: string) => join(contents, shelf),
    content: (blob: string) => pathInShelf(contents, blob),
    generation(name: string) {
      const folder = join(generations, name)
      return {
        folder,
        database: join(folder, 'database'),
        manifest: join(folder, 'manifest'),
        secretKey: join(folder, 'secret.key'),
      }
    },
  }
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/

/** Returns the name of the generation of a moment, in milliseconds since 1970; names sort in the order of time. */
export function generationName(ms: number): string {
  return isoTime(ms).replaceAll(':', '-')
}

/** Returns the moment of a generation as ISO 8601, or null when the name is not that of a generation. */
export function generationTime(name: string): string | null {
  const [, day, hours, minutes, rest] = NAME.exec(name) ?? []
  return day === undefined ? null : `${day}T${hours}:${minutes}:${rest}`
}
