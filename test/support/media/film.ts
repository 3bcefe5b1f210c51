import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { madeOnce } from '../run-folder.ts'

/** What ffmpeg draws a film of, unless a test names something else: a second of a moving pattern. */
const PATTERN = 'testsrc=size=320x240:duration=1:rate=10'

/**
 * Returns the path of a film by ffmpeg, made once for a run: its name, which says the container, the options of its
 * codec and more, and what it shows.
 */
export function madeFilm(name: string, options: string[], shows = PATTERN): Promise<string> {
  return madeOnce(name, [options, shows], (path) => {
    const all = ['-v', 'error', '-f', 'lavfi', '-i', shows, ...options, path]
    execFileSync('ffmpeg', all, { stdio: 'ignore' })
  })
}

/** Returns the bytes of such a film. */
export async function filmBytes(...film: Parameters<typeof madeFilm>): Promise<Buffer> {
  return readFile(await madeFilm(...film))
}
