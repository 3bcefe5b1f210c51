import { textOf } from './log-text.ts'

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

/** Milliseconds for which lines are gathered: to write one costs more than to answer a small request. */
const GATHERED = 20
/** UTF-16 code units of lines, beyond which they are written before that. */
const GATHERED_LENGTH = 64 * 1024

/**
 * Returns a log that writes one entry per line, from `level` upwards. A warning or an error is
 * written at once, with what came before it; other lines within 20 ms, or when the process ends, unless a
 * signal ends it.
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

/** Returns an entry that another process has written as JSON, as it is written in this format. */
export function sameEntry(json: string, to: NodeJS.WritableStream, format: LogFormat): string {
  if (!isText(to, format)) return json
  try {
    return textOf(JSON.parse(json))
  } catch {
    // Not an entry, but what a runtime says before it ends.
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
        // Lines alone don't keep a process from ending.
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

/** JSON has neither errors nor bigints. */
function plain(value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message
  return typeof value === 'bigint' ? String(value) : value
}
