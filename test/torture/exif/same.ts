import type { Entry } from './entries.ts'

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

/** `entry` is what is stored, undefined when that can't be read. */
type Holds = (name: string, ours: unknown, theirs: unknown, entry: Entry | undefined) => boolean

/** Types of TIFF. */
const TEXT = 2
const UNDEFINED = 7
const RATIONALS = [5, 10]

/** Returns whether an entry is no fraction, or one by nothing. */
function isNoFraction({ type, count, bytes }: Entry): boolean {
  return !RATIONALS.includes(type) || count !== 1 || bytes.readUInt32LE(4) === 0
}

/**
 * Returns what is stored up to its first NUL if there is more behind that, which exiftool joins; it also
 * writes a date of eight digits with colons.
 */
function beforeNul(name: string, theirs: unknown, { bytes }: Entry): string | null {
  const parts = bytes.toString('latin1').split('\0')
  const joined = parts.join('')
  const date = joined.replace(/^(\d{4}):?(\d\d):?(\d\d)$/, '$1:$2:$3')
  const isJoined = [joined, date].some((text) => isSame(name, text, theirs))
  return parts.slice(1).join('') !== '' && isJoined ? parts[0]! : null
}

/** Returns what exiftool takes of a text: degrees from anywhere in it, else the number at its beginning. */
function numberIn(name: string, text: string): number | number[] {
  if (!IN_DEGREES.includes(name)) return Number.parseFloat(text)
  return Array.from(text.matchAll(/\d+(\.\d+)?/g), ([digits]) => Number(digits))
}

/** Returns whether exiftool tells bytes that are no letters, where their type says nothing; it drops NULs. */
function isOfBytes(theirs: unknown, entry: Entry | undefined): boolean {
  const text = entry?.type === UNDEFINED ? entry.bytes.toString('latin1') : ''
  return /^[\0- ]+$/.test(text) && text.replaceAll('\0', '') === theirs
}

/** How a comment may begin that tells its letters. */
const CODE = /^(ASCII\0\0\0|UNICODE\0|\0{8})/

/** Why a value may differ from exiftool's; each was looked at, and decided. */
const DECIDED: Record<string, Holds> = {
  'an APEX value of which exiftool makes 0 or 1': (name, _, theirs, entry) =>
    name in APEX && [0, 1].includes(Number(theirs)) && (!entry || isNoFraction(entry)),
  'many values where one is due': (name, ours, _, entry) =>
    name in APEX && Array.isArray(ours) && entry?.count === ours.length,
  'a comment of no character code': (name, ours, _, entry) =>
    name === 'UserComment' &&
    ours === undefined &&
    entry !== undefined &&
    !CODE.test(entry.bytes.toString('latin1')),
  'a text in numbers': (_, ours, theirs) => Array.isArray(ours) && /[a-z]/i.test(String(theirs)),
  'a text, of which exiftool takes the number': (name, ours, theirs, entry) =>
    (name in APEX || IN_DEGREES.includes(name)) &&
    entry?.type === TEXT &&
    entry.bytes.toString('latin1').split('\0', 1)[0] === ours &&
    isSame(name, numberIn(name, String(ours)), theirs),
  'a letter, of which exiftool tells the number': (_, ours, theirs, entry) =>
    typeof ours === 'string' && entry?.bytes.length === 1 && theirs === entry.bytes[0],
  'nothing that exiftool can read': (_, __, theirs) => theirs === '',
  'half a letter of UTF-16': (name, ours, theirs) =>
    name.startsWith('XP') && String(ours).startsWith(String(theirs).trim()),
  'a comment under another tag': (_, ours, theirs) =>
    ours === undefined && String(theirs).startsWith('ASCII'),
  'bytes, which are not shown': (name, ours, theirs, entry) =>
    !Array.isArray(ours) &&
    (/^\d+( \d+)+$/.test(String(theirs)) ||
      (ours === undefined && (IN_BYTES.test(name) || isOfBytes(theirs, entry)))),
  'a NUL inside, where a text ends': (name, ours, theirs, entry) =>
    /Version$|DateStamp$/.test(name) &&
    entry !== undefined &&
    beforeNul(name, theirs, entry)?.trimEnd() === (ours ?? ''),
}

/**
 * Returns why a value differs from exiftool's, or null when that is a fault; `entry` is what is stored,
 * undefined when that can't be read.
 */
export function reasonFor(
  name: string,
  ours: unknown,
  theirs: unknown,
  entry: Entry | undefined,
): string | null {
  const reasons = Object.entries(DECIDED)
  return reasons.find(([, holds]) => holds(name, ours, theirs, entry))?.[0] ?? null
}

function asExiftool(name: string, value: unknown): unknown {
  return name in APEX && typeof value === 'number' ? APEX[name]!(value) : value
}

function isNear(word: string, expected: string): boolean {
  const difference = Math.abs(Number(word) - Number(expected))
  if (word === '' || expected === '') return word === expected
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
  // exiftool has a colon for whatever stands between year, month and day, and for nothing, too.
  if (name === 'GPSDateStamp') {
    const spelled = clean(String(value ?? '')).replace(/(\d{4})\D*(\d\d)\D*(\d\d)$/, '$1:$2:$3')
    return [spelled.replace(/\D+/g, ':')]
  }
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
