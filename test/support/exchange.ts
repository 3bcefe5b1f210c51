import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The number of renameat2, which no runtime offers, by architecture. */
const NUMBER = { x64: 316, arm64: 276 }[process.arch as string] ?? 0
const AT_FDCWD = -100
const RENAME_EXCHANGE = 2

const CALL = `syscall(${NUMBER}, ${AT_FDCWD}, $a, ${AT_FDCWD}, $b, ${RENAME_EXCHANGE}) == 0 or die $!`
const BEGIN = 'my ($a, $b) = @ARGV;'

/** For a test's `skip`: false when two paths can be exchanged in one step. */
export const withoutExchange = probe()

/** Lets two paths change places, in one step: neither is ever missing. */
export function exchange(a: string, b: string): void {
  execFileSync('perl', ['-e', `${BEGIN} ${CALL}`, a, b], { stdio: 'pipe' })
}

/** Exchanges two paths again and again, until it is stopped. */
export async function keepExchanging(a: string, b: string): Promise<{ stop(): Promise<void> }> {
  const loop = `$| = 1; ${BEGIN} ${CALL}; print 'begun'; ${CALL} while 1`
  const child: ChildProcess = spawn('perl', ['-e', loop, a, b], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout!, 'data')
  return {
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

function probe(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-exchange-'))
  const [a, b] = [join(folder, 'a'), join(folder, 'b')] as const
  try {
    for (const path of [a, b]) mkdirSync(path)
    exchange(a, b)
    return false
  } catch {
    return 'needs perl with renameat2'
  } finally {
    rmSync(folder, { recursive: true })
  }
}
