/** One function per level, each of which writes a message with fields. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** How much is written: entries of the named level and of all more severe ones. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** How a line is written: as JSON, as text for people, or as text on a terminal alone. */
export const LOG_FORMATS = ['auto', 'text', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

// Milliseconds for which lines are gathered: writing one costs more than answering a small request.
const GATHERED = 20
// UTF-16 code units of gathered lines, beyond which they are written at once.
const GATHERED_LENGTH = 64 * 1024

/**
 * Returns a log that writes one entry per line, from `level` upwards. A warning or an error is written at once, with
 * the lines before it; other lines are written within 20 ms, or when the process exits, unless a signal ends it.
 */
export function createLog(
  level: LogLevel,
  to: NodeJS.WritableStream = process.stdout,
  format: LogFormat = 'auto',
): Log {
  const lines = gather(to)
  const lineOf = isText(to, format) ? textOf : JSON.stringify
  const at = (name: LogLevel, isUrgent = false) => {
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(level)) return () => {}
    return (message: string, fields: Record<string, unknown> = {}) => {
      lines.add(lineOf(entryOf(name, message, fields)))
      if (isUrgent) lines.write()
    }
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn', true), error: at('error', true) }
}

/** Converts an entry that another process has written as JSON into this format. */
export function sameEntry(json: string, to: NodeJS.WritableStream, format: LogFormat): string {
  if (!isText(to, format)) return json
  try {
    return textOf(JSON.parse(json))
  } catch {
    // Not an entry, but what a runtime prints before it ends.
    return json
  }
}

function isText(to: NodeJS.WritableStream, format: LogFormat): boolean {
  return format === 'auto' ? 'isTTY' in to && to.isTTY === true : format === 'text'
}

function gather(to: NodeJS.WritableStream) {
  let gathered = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    clearTimeout(timer)
    process.off('exit', write)
    const text = gathered
    gathered = ''
    if (text !== '') to.write(text)
  }
  return {
    add(line: string): void {
      if (gathered === '') {
        // Pending lines alone don't keep a process from ending.
        timer = setTimeout(write, GATHERED).unref()
        process.on('exit', write)
      }
      gathered += `${line}\n`
      if (gathered.length > GATHERED_LENGTH) write()
    },
    write,
  }
}

function entryOf(level: LogLevel, message: string, fields: Record<string, unknown>) {
  const entry: Record<string, unknown> = { time: new Date().toISOString(), level, message }
  for (const name in fields) entry[name] = plain(fields[name])
  return entry
}

// JSON has neither errors nor bigints.
function plain(value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message
  return typeof value === 'bigint' ? String(value) : value
}

interface Entry {
  time?: unknown
  level?: unknown
  message?: unknown
  [field: string]: unknown
}

// Characters that could move the cursor of a terminal, or hide or reverse text there.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const PLAIN = /^[\p{L}\p{N}\p{P}\p{S}]+$/u

// Times are local to this machine, and a stack gets lines of its own.
function textOf({ time, level, message, ...fields }: Entry): string {
  const at = new Date(String(time)).toTimeString().slice(0, 8)
  const grade = level === 'info' ? '' : `${level} `
  if (message === 'request') return `${at} ${grade}${requestOf(fields)}`
  const stacks: string[] = []
  const others = Object.entries(fields).filter(([, value]) => {
    const isStack = typeof value === 'string' && /\n {4}at /.test(value)
    if (isStack) stacks.push(...value.split('\n').map((line) => `\n  ${visible(line)}`))
    return !isStack
  })
  return `${at} ${grade}${[message, ...others.map(fieldOf)].join(' ')}${stacks.join('')}`
}

function requestOf({ method, path, status, ms, user_id }: Entry): string {
  const user = user_id === undefined ? '' : ` user ${user_id}`
  return `${method} ${visible(String(path))} ${status} ${ms} ms${user}`
}

function fieldOf([name, value]: [string, unknown]): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isPlain = typeof value !== 'string' || (PLAIN.test(value) && !value.includes('"'))
  return `${name}=${visible(isPlain ? text : JSON.stringify(text))}`
}

// Text from strangers, such as the name in a login attempt, must not look like more than it is.
function visible(text: string): string {
  return text.replace(UNSEEN, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`)
}
