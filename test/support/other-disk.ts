import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const OTHER_DISK = `needs a disk of its own at ${MEMORY}`

/** Why there is no second disk here, or false. */
export function withoutOtherDisk(): string | false {
  if (!existsSync(MEMORY)) return OTHER_DISK
  const isOne = statSync(MEMORY).dev === statSync(tmpdir()).dev
  return isOne && OTHER_DISK
}

/** Moves a folder to the other disk, with a link in its place, and returns what removes it from there. */
export async function moveToOtherDisk(path: string): Promise<() => void> {
  const folder = mkdtempSync(join(MEMORY, 'tagstead-'))
  await cp(path, join(folder, 'moved'), { recursive: true })
  rmSync(path, { recursive: true })
  symlinkSync(join(folder, 'moved'), path)
  return () => rmSync(folder, { recursive: true })
}
