import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Asks for a new password on a terminal, twice and without showing it, and returns it; without a terminal, it is
 * the first line of the standard input. Throws a readable error when the two differ or when there is none.
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

/** Has the terminal show nothing of what is typed meanwhile, also when the program is interrupted. */
async function unseen<Result>(work: () => Promise<Result>): Promise<Result> {
  const echo = (isOn: boolean) =>
    spawnSync('stty', [isOn ? 'echo' : '-echo'], { stdio: ['inherit', 'ignore', 'ignore'] })
  const interrupted = () => {
    echo(true)
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  echo(false)
  try {
    return await work()
  } finally {
    echo(true)
    process.off('SIGINT', interrupted)
  }
}
