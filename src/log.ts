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

/** Returns a log that writes one JSON object per line, from `level` upwards. */
export function createLog(level: LogLevel, to: NodeJS.WritableStream = process.stdout): Log {
  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(level)) return () => {}
    return (message: string, fields?: Record<string, unknown>) => {
      const entry = { time: new Date().toISOString(), level: name, message, ...plain(fields) }
      to.write(`${JSON.stringify(entry)}\n`)
    }
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** JSON has neither errors nor bigints. */
function plain(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (value instanceof Error) return [name, value.stack ?? value.message]
      return [name, typeof value === 'bigint' ? String(value) : value]
    }),
  )
}
