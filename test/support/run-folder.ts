import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The folder that all processes of a run share. `test/run.mjs` makes and removes it; a file that is run by
 * itself has one of its own.
 */
export const RUN_FOLDER = process.env.TAGSTEAD_TEST_RUN ?? ownFolder()

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-run-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Adds a line to a file of the run, which `test/run.mjs` reads at the end. */
export function addLine(name: string, line: string): void {
  appendFileSync(join(RUN_FOLDER, name), `${line}\n`)
}

/**
 * Returns the path of a file or folder that is made once for a run and that nobody changes. Its name ends in `name`, and what it
 * is made of is told by `recipe`: whoever asks with the same two gets the same. `make` writes it to the
 * path that it is given, which has the same ending. Two processes may make it at once; one of both stays.
 */
export async function madeOnce(
  name: string,
  recipe: unknown,
  make: (path: string) => void | Promise<void>,
): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 16)
  const folder = join(RUN_FOLDER, 'made')
  const path = join(folder, `${digest}-${name}`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const own = mkdtempSync(join(folder, 'new-'))
  await make(join(own, name))
  try {
    renameSync(join(own, name), path)
  } catch (error) {
    // A folder takes no other's place.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
  rmSync(own, { recursive: true })
  return path
}
