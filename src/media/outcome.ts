/**
 * What became of a job of the decoder: what was made, or why nothing was. `failed` is the content's fault; `refused` is
 * the system's and worth another try.
 */
export type Outcome = { result: unknown } | { failed: string } | { refused: string }

/** The outcome as the child reports it. */
export type ChildOutcome<Result> = { result: Result } | Failure

/**
 * Why nothing was made. `failed`: the content can't be decoded. `exceeded`: a limit of time was hit, by the content or
 * because the machine has too much to do. `starved`: it needs more memory than there is where it was tried. `refused`:
 * the system gave no process, no open file or no room, whatever the content is.
 */
export type Failure =
  | { failed: string }
  | { exceeded: string }
  | { starved: string }
  | { refused: string }

/** The code of an error for what needs too much memory by an estimate. */
export const STARVED = 'STARVED'

// The codes of the system's calls, and that of `runProgram` for a program that does not start.
const REFUSALS = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOSPC', 'ENOEXEC'])
// What programs and libraries, which give no codes, print in these cases.
const REFUSAL = anyOf(
  /\b(EAGAIN|EMFILE|ENFILE|ENOSPC)\b/,
  /resource temporarily unavailable|cannot fork|too many open files|no space left on device/,
)
// What they print for lack of memory, which we limit as well: the system need not be to blame.
const EXCESS = anyOf(
  /cannot allocate memory|(out of|insufficient) memory|allocation failed|failed to allocate/,
  /get_buffer\(\) failed|\bENOMEM\b/,
)

// How the file system reports that a file is gone, that the disk is broken where it is, or that the server may not
// read it.
const UNREADABLE = new Set(['ENOENT', 'EIO', 'EACCES', 'EPERM'])

/** Returns whether an error is that of a file which can't be read, whatever its content is. */
export function isOfUnreadable(error: unknown): boolean {
  return UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Returns whether an error is that of a call of the system: only these have a number. A broken content may lead to a
 * place that no file has, which has only a code.
 */
export function isOfSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).errno !== undefined
}

// How the file system reports that nothing can be written.
const UNWRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** Returns whether an error is that of a disk, which also stands in the way of the next content. */
export function isOfDisk(error: unknown): boolean {
  return UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')
}

/** Returns what kind of failure an error is. */
export function failureOf(error: unknown): Failure {
  const { message, code } = error as NodeJS.ErrnoException
  if (code !== undefined && REFUSALS.has(code)) return { refused: message }
  if (code === STARVED) return { starved: message }
  if (code === 'ETIMEDOUT') return { exceeded: message }
  if (REFUSAL.test(message)) return { refused: message }
  if (EXCESS.test(message)) return { starved: message }
  return { failed: message }
}

/**
 * Returns what a child reports of a job that ended with an error: a failure, or the error itself when that also stands
 * in the way of the next content, as a full disk does.
 */
export function endOf(error: unknown): Failure | { error: { message: string; code?: string } } {
  const { message, code } = error as NodeJS.ErrnoException
  const failure = failureOf(error)
  const isFull = code === 'ENOSPC'
  if ('starved' in failure || ('refused' in failure && !isFull)) return failure
  return { error: { message, ...(code !== undefined && { code }) } }
}

function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i')
}
