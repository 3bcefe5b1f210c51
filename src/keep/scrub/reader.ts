import { killGroup, startProgram } from '../../base/child-process.ts'
import { PROGRAMS } from '../../base/paths.ts'
import { beforeAbort } from '../../base/time.ts'
import type { Activity } from '../../http/clients/activity.ts'

// Codes for a lack of resources or a lost disk, which say nothing about the file.
const SCARCE = new Set([
  ...['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'EINTR'],
  ...['ESTALE', 'ENOTCONN', 'ETIMEDOUT', 'EHOSTDOWN', 'ENODEV'],
])

/** What reads contents for the scrub. */
export interface Reader {
  /** Whether it reads contents; otherwise it knows only their sizes. */
  isReading: boolean
  /**
   * Resolves with the size and digest of a content, or with the code of the file system's error; one that is not read
   * as a whole has no digest. Throws when the system lacks resources, when the process is gone, and the signal's
   * reason.
   */
  read(asked: Asked): Promise<Reading>
  end(): void
}

/**
 * Starts a process that reads the contents of a data folder, given by its absolute path, with the least priority and at
 * most 10 MB a second. It pauses while a request is under way and two seconds longer, even inside a film. It ends with
 * this process, however that ends. Throws the system's reason when the process can't be started.
 */
export async function startReader(
  dataDir: string,
  activity: Activity,
  signal: AbortSignal,
): Promise<Reader> {
  const { child, lines, errors } = await startProgram([PROGRAMS.scrub, dataDir], {
    cwd: '/',
  })
  const ending = new AbortController()
  const isOver = AbortSignal.any([signal, ending.signal])
  const pausing = async () => {
    for (;;) {
      child.kill('SIGSTOP')
      await activity.calm(isOver)
      child.kill('SIGCONT')
      await activity.busy(isOver)
    }
  }
  pausing().catch(() => {})
  return {
    isReading: true,
    async read(asked) {
      child.stdin.write(`${JSON.stringify(asked)}\n`)
      const { value: line } = await beforeAbort(lines.next(), signal)
      if (line === undefined) throw new Error(errors().trim() || 'The reader of contents has ended')
      const reading: Reading = JSON.parse(line)
      if (!('code' in reading) || !SCARCE.has(reading.code)) return reading
      throw new Error(`The system refuses to read the content ${asked.blob}: ${reading.code}`)
    },
    end() {
      ending.abort()
      // It has nothing to finish, and may hang in a lost disk.
      killGroup(child)
    },
  }
}

/** A request to the reader: a whole content, or only whether it can be opened. */
export interface Asked {
  blob: string
  /** The bytes that it should have, if that is known: what has others need not be read. */
  size?: number
  isWhole: boolean
}

/**
 * What the reader has found: size and digest of a content, which is null when only the size is known, or the code of
 * the file system's error.
 */
export type Reading = { size: number; sha256: string | null } | { code: string }
