import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Asks for a new password on a terminal, twice and without showing it, and returns it; without a terminal, the password
 * is the first line of the standard input. Throws a readable error when the two differ, when there is none, and when
 * the terminal would show it.
 */
export async function askForPassword(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done) throw new Error('no password was given')
    return value
  }
  if (!process.stdin.isTTY) return next()
  const ask = async (text: string) => {
    process.stderr.write(text)
    const answer = await next()
    process.stderr.write('\n')
    return answer
  }
  return unseen(async () => {
    const password = await ask(question)
    if ((await ask('Again: ')) !== password) throw new Error('the two passwords differ')
    return password
  })
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// Also restores the echo when a signal ends the program. Throws a readable error when the echo can't be turned off.
async function unseen<Result>(work: () => Promise<Result>): Promise<Result> {
  const end = (_: NodeJS.Signals, number: number) => {
    setEcho(true)
    process.exit(128 + number)
  }
  // Not `once`: a second signal must not kill the process while it restores the terminal.
  for (const signal of ENDING) process.on(signal, end)
  try {
    if (!setEcho(false)) {
      throw new Error(
        'the terminal would show the password, because stty fails: give it by the standard input',
      )
    }
    return await work()
  } finally {
    setEcho(true)
    for (const signal of ENDING) process.off(signal, end)
  }
}

function setEcho(isOn: boolean): boolean {
  // Neither another Ctrl-C nor running in the background may stop this command.
  const command = `trap '' INT TERM HUP TTOU; exec stty ${isOn ? 'echo' : '-echo'}`
  const options = { stdio: ['inherit', 'ignore', 'ignore'] } satisfies SpawnSyncOptions
  return spawnSync('/bin/sh', ['-c', command], options).status === 0
}
