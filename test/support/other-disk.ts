import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'

/** Why there is no second disk here, or false. */
export function withoutOtherDisk(): string | false {
  if (!existsSync(MEMORY)) return `there is no ${MEMORY}`
  const isOne = statSync(MEMORY).dev === statSync(tmpdir()).dev
  return isOne && `${MEMORY} and ${tmpdir()} are one disk`
}

/** Moves a folder to the other disk, with a link in its place, and returns what removes it from there. */
export async function moveToOtherDisk(path: string): Promise<() => void> {
  const folder = mkdtempSync(join(MEMORY, 'tagstead-'))
  await cp(path, join(folder, 'moved'), { recursive: true })
  rmSync(path, { recursive: true })
  symlinkSync(join(folder, 'moved'), path)
  return () => rmSync(folder, { recursive: true })
}
