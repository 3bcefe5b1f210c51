import { createHash } from 'node:crypto'
import type { Db } from '../db/client.ts'
import { findText } from './text-queries.ts'

// Bytes as JSON; a longer value is stored beside the log.
const LONG = 1024
const BEGINNING = 200

interface Apart {
  sha256: string
  bytes: number
  begins: string
}

// Replaces values in the details of an entry, by the names that lead to each.
interface LongTexts {
  bytes: number
  values: [path: string[], value: Apart][]
}

interface LongText {
  sha256: Buffer
  text: string
  bytes: number
}

/**
 * Returns details as JSON without their long values, and the former values that an undo may need. New values are
 * represented by their digests alone, since the objects contain them.
 */
export function withoutLong(
  action: string,
  details: object,
): { text: string; formerTexts: LongText[] } {
  const whole = JSON.stringify(details)
  if (Buffer.byteLength(whole) <= LONG) return { text: whole, formerTexts: [] }
  const formerTexts: LongText[] = []
  const values: LongTexts['values'] = []
  const shortened: Values = JSON.parse(whole)
  for (const { path, parent, isFormer } of valuesOf(action, shortened)) {
    const name = path.at(-1)!
    const value = parent[name]
    const text = JSON.stringify(value) ?? ''
    const bytes = Buffer.byteLength(text)
    if (bytes <= LONG) continue
    const sha256 = digestOf(text)
    const begins = (typeof value === 'string' ? value : text).slice(0, BEGINNING).toWellFormed()
    values.push([path, { sha256: sha256.toString('hex'), bytes, begins }])
    if (isFormer) formerTexts.push({ sha256, text, bytes })
    delete parent[name]
  }
  if (values.length === 0) return { text: whole, formerTexts }
  const bytes = formerTexts.reduce((sum, one) => sum + one.bytes, 0)
  return { text: JSON.stringify({ ...shortened, long: { bytes, values } }), formerTexts }
}

type Values = Record<string, unknown>

function* valuesOf(action: string, details: Values) {
  const { changes = {}, fields } = details as { changes?: Record<string, Values>; fields?: Values }
  for (const [field, parent] of Object.entries(changes)) {
    yield { path: ['changes', field, 'from'], parent, isFormer: true }
    yield { path: ['changes', field, 'to'], parent, isFormer: false }
  }
  if (fields === undefined || Array.isArray(fields)) return
  const isFormer = !action.endsWith('_create')
  for (const name of Object.keys(fields)) {
    yield { path: ['fields', name], parent: fields, isFormer }
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

// Holds the digest of a value of which only that is stored; no JSON has such a key.
const UNKEPT = Symbol('the digest of a value')

function digestOnly(value: unknown): string | undefined {
  return (value as { [UNKEPT]?: string } | null | undefined)?.[UNKEPT]
}

/** Returns details for an undo, with the stored long values that a user has changed. */
export function withLong(db: Db, user_id: number, details: Values): Values {
  const { long, ...rest } = details as Values & { long?: LongTexts }
  for (const [path, { sha256 }] of long?.values ?? []) {
    const text = findText(db, user_id, Buffer.from(sha256, 'hex'))
    const value = text === undefined ? { [UNKEPT]: sha256 } : JSON.parse(text)
    parentOf(rest, path)[path.at(-1)!] = value
  }
  return rest
}

/** Returns details for display, with the beginnings of long values. */
export function withBeginnings(details: Values): Values {
  const { long, ...rest } = details as Values & { long?: LongTexts }
  for (const [path, { begins }] of long?.values ?? []) {
    parentOf(rest, path)[path.at(-1)!] = `${begins}…`
  }
  return rest
}

function parentOf(details: Values, path: string[]): Values {
  return path.slice(0, -1).reduce((at, name) => at[name] as Values, details)
}

/** Returns whether a value is no longer available. */
export function isLost(value: unknown): boolean {
  return digestOnly(value) !== undefined
}

/** Returns whether a value equals, as JSON, the one in the details. */
export function isRecordedAs(value: unknown, recorded: unknown): boolean {
  const text = JSON.stringify(value)
  const sha256 = digestOnly(recorded)
  if (sha256 === undefined) return text === JSON.stringify(recorded)
  return digestOf(text ?? '').toString('hex') === sha256
}
