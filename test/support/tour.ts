import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** Runs the tour of the documentation in a folder, as a shell does into which it was pasted. */
export function runTour(
  folder: string,
  env: { API: string; PASSWORD: string; PHOTO: string },
): Promise<{ stdout: string; stderr: string }> {
  const block = /<!-- The test suite runs this block\. -->\n```sh\n(.*?)\n```\n/s.exec(
    readFileSync('docs/tour.md', 'utf8'),
  )![1]!
  return promisify(execFile)('sh', ['-c', block], { cwd: folder, env: { ...process.env, ...env } })
}
