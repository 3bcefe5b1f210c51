import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { without } from './media/media.ts'

/** Why nothing can be run on a terminal here; false when it can. */
export const noTerminal = without('script', '--version')

/** Starts a command line on a terminal, with these variables and PATH as its environment. */
export function onTerminal(
  line: string[],
  env: Record<string, string>,
): { child: ChildProcess; shown: () => string } {
  const command = line.map((part) => `'${part}'`).join(' ')
  // The shell that `script` starts is to become the program, which gets the signals then.
  const child = spawn('script', ['-qefc', `exec ${command}`, '/dev/null'], {
    env: { PATH: process.env.PATH, ...env },
    cwd: tmpdir(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout?.on('data', (chunk) => {
    shown += chunk
  })
  return { child, shown: () => shown.replaceAll('\r\n', '\n') }
}
