import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'
import { madeOnce } from '../run-folder.ts'

/** Returns the path of what ImageMagick writes, made once for a run, of nothing or of another made file. */
export function madeByMagick(name: string, args: string[], input?: string): Promise<string> {
  const source = input === undefined ? [] : [input]
  return madeOnce(name, ['ImageMagick', source.map((path) => basename(path)), args], (path) => {
    execFileSync('convert', [...source, ...args, path], { stdio: 'ignore' })
  })
}
