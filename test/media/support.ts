import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'

const CORPUS = process.env.TAGSTEAD_CORPUS ?? '../shared/corpus'

/** For a test's `skip`: false where the sample files are. */
export const withoutCorpus = existsSync(CORPUS) ? false : `no sample files in ${CORPUS}`

/** For a test's `skip`: false where the program is. */
export function without(program: string, flag: string): string | false {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return false
  } catch {
    return `no ${program} on this machine`
  }
}

export function corpus(...parts: string[]): string {
  return join(CORPUS, ...parts)
}

/** Returns the paths of all sample files, or of those in one folder. */
export function corpusFiles(folder?: string): string[] {
  if (withoutCorpus) return []
  return readdirSync(corpus(folder ?? ''), { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) !== '' && !name.endsWith('.md'))
    .map((name) => corpus(folder ?? '', name))
    .sort()
}

/** Returns a new folder and what removes it. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tagstead-media-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
