import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
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

/** Returns the path of what ffmpeg makes of another made file, once for a run. */
export function madeOfFilm(input: string, name: string, options: string[]): Promise<string> {
  return madeOnce(name, [basename(input), options], (path) => {
    execFileSync('ffmpeg', ['-v', 'error', '-i', input, ...options, path], { stdio: 'ignore' })
  })
}

/** Returns the bytes of a film by ffmpeg. */
export async function filmBytes(...film: Parameters<typeof madeFilm>): Promise<Buffer> {
  return readFile(await madeFilm(...film))
}
