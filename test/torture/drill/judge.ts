import assert from 'node:assert/strict'
import type { Call } from '../worlds/steps.ts'
import type { History } from './history.ts'
import { CLIENTS } from './library.ts'
import type { Shown } from './reading.ts'

/** The library that goes on, the one that was restored, and what is known of the moment of the backup. */
export interface Moment {
  live: Call
  restored: Call
  history: History
  /** The id of the last entry of the audit log that the backup has. */
  entry: number
}

/** How many objects of each kind were compared, and how many of them were changed after the moment. */
export type Counts = Record<string, { compared: number; changed: number }>

/** Judges what both libraries have of one object. */
export type Judge = (kind: string, live: Shown | null, restored: Shown | null) => void

/** Fields of a file that its tags and the trash change, and those that its content does. */
const OF_STATE = ['trashed_at', 'tags', 'is_deleted', 'needs_review']
const OF_CONTENT = [
  ...[
    'mime_type',
    'mime_extension',
    'content_datetime',
    'content_offset',
    'date_source',
    'date_precision',
    'phash',
  ],
  ...[
    'size',
    'width',
    'height',
    'duration',
    'thumbhash',
    'is_damaged',
    'rotation',
    'version',
    'exif',
  ],
]

/** Returns the name of an object, if it has one. */
export const nameOf = ({ name, original_name }: Shown): string => name ?? original_name ?? ''

/** Returns whether one of the clients made it, or was given it. */
export const isClients = (shown: Shown) =>
  CLIENTS.some((client) => nameOf(shown).startsWith(`${client}-`))

/** Returns under which key the history has an object. */
export function keyOf(kind: string, shown: Shown): string {
  if (kind === 'rule') return `rule ${shown.when_tag_id} ${shown.then_tag_id}`
  return `${kind} ${isClients(shown) ? nameOf(shown) : shown.id}`
}

/** Throws unless both are the same; in words, of what they are. */
export function same(what: string, found: Shown, expected: Shown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) assert.deepEqual(found, expected, what)
}

/**
 * Returns what judges one object after the other, and counts them. What was not changed after the moment must be the
 * same in both libraries; what an admin changed after it must be as it was then; and of what a client changed after it,
 * the fields must be the same that this has not changed: the others are compared with what the client knew then.
 */
export function createJudge({ history, entry }: Moment, counts: Counts): Judge {
  /** Changed files that only one of the libraries has shown yet, since the other has them in the trash. */
  const waiting = new Map<string, Shown>()

  const judgeClients = (key: string, kind: string, live: Shown | null, restored: Shown | null) => {
    if (kind !== 'file') return
    const shown = live ?? restored
    const other = waiting.get(shown.id)
    if (!live !== !restored && !other) waiting.set(shown.id, shown)
    const [one, two] = live && restored ? [live, restored] : [shown, other]
    if (!two) return
    const digest = (at: number) => (history.stateAt(key, at) as { sha256: string }).sha256
    const isReplaced = digest(entry) !== digest(Number.POSITIVE_INFINITY)
    const left = isReplaced ? [...OF_STATE, ...OF_CONTENT] : OF_STATE
    same(key, without(two, left), without(one, left))
  }

  return (kind, live, restored) => {
    const shown = live ?? restored
    const key = keyOf(kind, shown)
    const isChanged = history.isChangedAfter(key, entry)
    counts[kind] ??= { compared: 0, changed: 0 }
    counts[kind].compared++
    if (isChanged) counts[kind].changed++
    if (!isChanged) {
      assert.ok(live, `${key} is in the restored library alone`)
      assert.ok(restored, `${key} is not in the restored library`)
      same(key, own(kind, restored), own(kind, live))
    } else if (isClients(shown)) judgeClients(key, kind, live, restored)
    else same(key, own(kind, restored), own(kind, history.stateAt(key, entry)))
  }
}

/** Returns an object without what is of other objects. */
function own(kind: string, shown: Shown): Shown {
  if (kind === 'pool' && isClients(shown)) return without(shown, ['file_count'])
  if (kind !== 'file') return shown
  return { ...shown, tags: shown.tags.map(({ id, by_rule }: Shown) => ({ id, by_rule })) }
}

function without(shown: Shown, fields: string[]): Shown {
  return Object.fromEntries(Object.entries(shown).filter(([field]) => !fields.includes(field)))
}
