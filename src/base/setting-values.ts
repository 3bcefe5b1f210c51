import { readFileSync } from 'node:fs'
import { z } from 'zod'

// The kinds of values that settings have, each parsed from text.

// `G` means GiB, as in most programs; `GB` means what it says.
const SIZE_UNITS = {
  B: 1,
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 },
  ...{ K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 },
  ...{ kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
}
const DURATION_UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A hundred years in milliseconds, or the bytes of an upload: anything more is a typing error. */
export const LARGEST = 100 * 365 * 86_400_000

function quantity(units: Record<string, number>, example: string, largest = LARGEST) {
  return z.string().transform((text, context) => {
    const [, digits, unit] = /^(\d{1,9})([A-Za-z]*)$/.exec(text) ?? []
    const factor = digits === '0' && unit === '' ? 1 : units[unit ?? '']
    const value = Number(digits) * (factor ?? Number.NaN)
    if (value <= largest) return value
    context.addIssue({ code: 'custom', message: `must be a value like ${example}, not "${text}"` })
    return z.NEVER
  })
}

/** Returns the schema of a size of at most `largest` bytes, in bytes; 0 needs no unit. */
export const size = (example: string, largest = Number.MAX_SAFE_INTEGER) =>
  quantity(SIZE_UNITS, `${example} (units: B, KiB, MiB, GiB, TiB)`, largest)

/** Returns the schema of a duration in milliseconds; 0 needs no unit. */
export const durationOrNone = (example: string) =>
  quantity(DURATION_UNITS, `${example} (units: s, m, h, d)`)

/** A duration of more than 0, in milliseconds. */
export const duration = durationOrNone('15m').refine((ms) => ms > 0, {
  message: 'must be more than 0',
})

/** Returns the schema of a whole number between these two. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be from ${min} to ${max}`)
/** With less, the same pages would be read again and again, and no machine has more. */
export const memory = size('64MiB').refine((bytes) => bytes >= 2 ** 20 && bytes <= 2 ** 40, {
  message: 'must be from 1MiB to 1024GiB',
})
/** A list separated by commas. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** The origin of a page, with or without a trailing slash, in the form that browsers send. */
export const origin = z.string().transform((text, context) => {
  if (/^https?:\/\/[^/?#@\\]+\/?$/i.test(text) && URL.canParse(text)) return new URL(text).origin
  context.addIssue({ code: 'custom', message: 'must be origins like https://photos.example.org' })
  return z.NEVER
})

export const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must be addresses like 127.0.0.1, ::1 or 10.0.0.0/8',
})

/** A path, in which no shell has expanded `~`. */
export const path = z.string().refine((text) => !text.startsWith('~'), {
  message: 'must not begin with "~", which only a shell replaces: write the whole path',
})

/** The content of a file, without the final newline that editors add. */
export const content = path.transform((name, context) => {
  try {
    return readFileSync(name, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { message } = error as Error
    context.addIssue({ code: 'custom', message: `must name a file that can be read: ${message}` })
    return z.NEVER
  }
})

export const timeZone = z.string().refine((name) => {
  try {
    // Some runtimes also accept offsets, which have no summer time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}, 'must be the name of a time zone like Europe/Rome')
