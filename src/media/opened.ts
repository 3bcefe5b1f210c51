import type { FileHandle } from 'node:fs/promises'

/** Where Linux lets a process reach what it has open, whatever became of the path. */
export const DESCRIPTORS = '/proc/self/fd'

/** Returns a path to an open file, for functions that take only paths. */
export function pathOfOpened({ fd }: Pick<FileHandle, 'fd'>): string {
  return `${DESCRIPTORS}/${fd}`
}
