/** What exiftool makes of APEX values even where it is asked for numbers. */
const APEX: Record<string, (value: number) => number> = {
  ShutterSpeedValue: (value) => (Math.abs(value) < 100 ? 2 ** -value : 0),
  ApertureValue: (value) => 2 ** (value / 2),
  MaxApertureValue: (value) => 2 ** (value / 2),
}

const IN_DEGREES = ['GPSLatitude', 'GPSLongitude', 'GPSDestLatitude', 'GPSDestLongitude']

/**
 * Returns whether a value tells what exiftool told, both as their programs write it. Where exiftool
 * writes an empty text, `inf` or `undef`, nothing is told.
 */
export function isSame(name: string, ours: unknown, theirs: unknown): boolean {
  const told = wordsOf(name, asExiftool(name, ours))
  const expected = wordsOf(name, theirs)
  return told.length === expected.length && told.every((word, at) => isNear(word, expected[at]!))
}

/** Of these exiftool computes one value even where they are in single bytes. */
const IN_BYTES = /^GPS.*(itude|TimeStamp)$/

type Holds = (name: string, ours: unknown, theirs: unknown) => boolean

/** Why a value may differ from exiftool's; each was looked at, and decided. */
const DECIDED: Record<string, Holds> = {
  'an APEX value of which exiftool makes 0 or 1': (name, _, theirs) =>
    name in APEX && [0, 1].includes(Number(theirs)),
  'many values where one is due': (name, ours) => name in APEX && Array.isArray(ours),
  'a comment of no character code': (name, ours) => name === 'UserComment' && ours === undefined,
  'a text in numbers': (_, ours, theirs) => Array.isArray(ours) && /[a-z]/i.test(String(theirs)),
  'letters where a number is due': (_, ours, theirs) =>
    typeof ours === 'string' && typeof theirs === 'number',
  'nothing that exiftool can read': (_, __, theirs) => theirs === '',
  'half a letter of UTF-16': (name, ours, theirs) =>
    name.startsWith('XP') && String(ours).startsWith(String(theirs).trim()),
  'a comment under another tag': (_, ours, theirs) =>
    ours === undefined && String(theirs).startsWith('ASCII'),
  'bytes, which are not shown': (name, ours, theirs) =>
    !Array.isArray(ours) &&
    (/^\d+( \d+)+$/.test(String(theirs)) || (IN_BYTES.test(name) && ours === undefined)),
  'a NUL inside, where a text ends': (name) => /Version$|DateStamp$/.test(name),
}

/** Returns why a value differs from exiftool's, or null when that is a fault. */
export function reasonFor(name: string, ours: unknown, theirs: unknown): string | null {
  const reasons = Object.entries(DECIDED)
  return reasons.find(([, holds]) => holds(name, ours, theirs))?.[0] ?? null
}

function asExiftool(name: string, value: unknown): unknown {
  return name in APEX && typeof value === 'number' ? APEX[name]!(value) : value
}

function isNear(word: string, expected: string): boolean {
  const difference = Math.abs(Number(word) - Number(expected))
  return word === expected || difference <= 1e-6 * Math.abs(Number(expected))
}

function wordsOf(name: string, value: unknown): string[] {
  if (name === 'GPSTimeStamp') {
    const parts = Array.isArray(value) ? value : String(value ?? '').split(':')
    return [
      sexagesimal(
        parts.map((part) => Number(part ?? Number.NaN)),
        3600,
      ),
    ]
  }
  if (Array.isArray(value) && IN_DEGREES.includes(name)) {
    return [
      sexagesimal(
        value.map((part) => part ?? Number.NaN),
        1,
      ),
    ]
  }
  // exiftool has a colon for whatever stands between year, month and day.
  if (name === 'GPSDateStamp') return [String(value ?? '').replace(/\D+/g, ':')]
  if (Array.isArray(value)) return value.map((part) => clean(String(part ?? '')))
  return clean(String(value ?? ''))
    .split(' ')
    .map(clean)
}

/** Returns hours, minutes and seconds, or degrees with theirs, as a number; nothing for what is none. */
function sexagesimal([whole = 0, minutes = 0, seconds = 0]: number[], unit: number): string {
  return clean(String((whole + minutes / 60 + seconds / 3600) * unit))
}

function clean(text: string): string {
  const trimmed = text.trim()
  if (/^-?(inf|infinity|undef|nan)$/i.test(trimmed)) return ''
  // Each program has its own letter for bytes that are no text.
  return trimmed.replace(/[^\x20-\x3e\x40-\x7e]+/g, '?')
}
