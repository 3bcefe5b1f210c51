import type { Schemas } from '../../client/index.ts'
import { inputOf } from '../viewer/facts.ts'

export type File = Schemas['File']

/** Two files that are compared side by side. */
export interface Pair {
  left: File
  right: File
}

export type Side = keyof Pair

/** Returns the opposite side. */
export function otherOf(side: Side): Side {
  return side === 'left' ? 'right' : 'left'
}

/** A field that is taken from one side or the other, besides the picture itself. */
export type SideField = 'original_name' | 'content_datetime' | 'notes' | 'is_public'
/** A field that can be taken from both sides. */
export type BothField = 'tags' | 'pools' | 'metadata'

/** The user's choices that differ from the proposal. */
export interface Choices {
  /** The picture that is marked as the one to keep. */
  keep?: Side
  sides: Partial<Record<SideField, Side>>
  /** The fields of which the kept file has only its own values. */
  ownOnly: ReadonlySet<BothField>
}

export const NO_CHOICES: Choices = { sides: {}, ownOnly: new Set() }

/** How reliable a date is by its source. */
const SOURCES = { given: 4, exif: 3, xmp: 3, gps: 3, video: 3, name: 2, mtime: 1, upload: 0 }
/** A name that a program gives a copy: `IMG_2041 (1).JPG`, `a - Copy.jpg`, `a Kopie 2.jpg`. */
const COPY = / \(\d+\)(\.\w+)?$|[-_ ](copy|kopie)( ?\(?\d+\)?)?(\.\w+)?$/i

/**
 * Compares two files for sorting, the better one to keep first: more pixels, then a reliable date, then
 * more tags, then more bytes, then the older file. Positive if the first is better.
 */
export function compareFiles(a: File, b: File): number {
  return (
    pixelsOf(a) - pixelsOf(b) ||
    worthOf(a) - worthOf(b) ||
    a.tags.length - b.tags.length ||
    a.size - b.size ||
    (a.id < b.id ? 1 : -1)
  )
}

/** Returns the side whose picture is proposed to be kept. */
export function betterSide({ left, right }: Pair): Side {
  return compareFiles(left, right) > 0 ? 'left' : 'right'
}

function pixelsOf({ width, height }: File): number {
  return (width ?? 0) * (height ?? 0)
}

/** Returns the size of a picture in pixels, or 4:3 if it is not known. */
export function sizeOf({ width, height }: File): { width: number; height: number } {
  return { width: width ?? 1600, height: height ?? 1200 }
}

function worthOf({ date_source }: File): number {
  return date_source === null ? 0 : SOURCES[date_source]
}

/** Returns the side that a field is better taken from; null if the kept side's value stays. */
export function proposedSide({ left, right }: Pair, field: SideField): Side | null {
  const sideIf = (isLeft: boolean, isRight: boolean) =>
    isLeft === isRight ? null : isLeft ? 'left' : 'right'
  if (field === 'original_name') {
    const [a, b] = [left.original_name, right.original_name]
    return (
      sideIf(a !== null && b === null, a === null && b !== null) ?? sideIf(isCopy(b), isCopy(a))
    )
  }
  if (field === 'content_datetime') {
    const worth = worthOf(left) - worthOf(right)
    const age = Date.parse(right.content_datetime) - Date.parse(left.content_datetime)
    // A moment is worth more than the year that it lies in.
    const [own, other] = [inputOf(left), inputOf(right)]
    const isWithin = own.startsWith(other) || other.startsWith(own)
    const better = worth || (isWithin ? own.length - other.length : 0) || age
    return sideIf(better > 0, better < 0)
  }
  if (field === 'notes') return sideIf(left.notes !== null, right.notes !== null)
  return null
}

function isCopy(name: string | null): boolean {
  return name !== null && COPY.test(name)
}

/** Returns the side that a field is taken from if `kept` is kept. */
export function sideOf(pair: Pair, field: SideField, kept: Side, { sides }: Choices): Side {
  return sides[field] ?? proposedSide(pair, field) ?? kept
}

/** Returns the request that keeps one side and merges the other into it. */
export function mergeOf(pair: Pair, kept: Side, choices: Choices): Schemas['DuplicateResolve'] {
  const from = (field: SideField) =>
    sideOf(pair, field, kept, choices) === kept ? 'keep' : 'discard'
  const isOwn = (field: BothField) => choices.ownOnly.has(field)
  return {
    keep: pair[kept].id,
    discard: pair[otherOf(kept)].id,
    fields: {
      original_name: from('original_name'),
      content_datetime: from('content_datetime'),
      notes: from('notes'),
      is_public: from('is_public'),
      metadata: isOwn('metadata') ? 'keep' : 'merge',
      tags: isOwn('tags') ? 'keep' : 'both',
      pools: isOwn('pools') ? 'keep' : 'both',
    },
  }
}

/**
 * Who sees a file besides admins: everybody, or the named people; `isWhole` if the list is complete.
 */
export interface Viewers {
  isPublic: boolean
  names: string[]
  isWhole: boolean
}

/** Who loses sight of both pictures; `isWhole` if the list is complete. */
export interface Losers {
  isEverybody: boolean
  names: string[]
  isWhole: boolean
}

/** Returns who sees neither of two files any more if one side is kept, `isPublic` or not. */
export function losersOf(
  viewers: Record<Side, Viewers>,
  kept: Side,
  { isPublic, self }: { isPublic: boolean; self: string },
): Losers {
  const [before, after] = [viewers[otherOf(kept)], viewers[kept]]
  if (isPublic) return { isEverybody: false, names: [], isWhole: true }
  if (before.isPublic) return { isEverybody: true, names: [], isWhole: true }
  return {
    isEverybody: false,
    names: before.names.filter((name) => name !== self && !after.names.includes(name)),
    isWhole: before.isWhole && after.isWhole,
  }
}
