import { bytes, number } from '../base/format.ts'
import { duplicates } from '../text/duplicates.ts'
import { viewer } from '../text/viewer.ts'
import { takenOf } from '../viewer/facts.ts'
import type { Facts } from './facts.ts'
import {
  type BothField,
  betterSide,
  type Choices,
  type File,
  type Losers,
  losersOf,
  type Pair,
  type Side,
  type SideField,
  sideOf,
  type Viewers,
} from './sides.ts'

/** A line of the table of differences. */
export interface Row {
  name: string
  left: string
  right: string
  /** What the line chooses; null if there is nothing to choose. */
  of: 'picture' | SideField | BothField | null
}

const BOTH: readonly string[] = ['tags', 'pools', 'metadata'] satisfies BothField[]

/** Returns whether a row is about a field that can be taken from both sides. */
export function isOfBoth(of: Row['of']): of is BothField {
  return of !== null && BOTH.includes(of)
}

/** Returns whether the kept file gets what a row shows for a side. */
export function isPicked(row: Row, side: Side, pair: Pair, choices: Choices): boolean {
  const { of } = row
  const keep = choices.keep ?? betterSide(pair)
  // An empty side has nothing to take.
  if (of === null || row[side] === duplicates().nothing) return false
  if (of === 'picture') return side === keep
  if (isOfBoth(of)) return side === keep || !choices.ownOnly.has(of)
  return side === sideOf(pair, of, keep, choices)
}

/** Returns the rows for the fields in which two files differ. */
export function rowsOf(pair: Pair, facts: Facts, choices: Choices, self: string): Row[] {
  const words = duplicates()
  const both = <Value>(read: (file: File) => Value) => ({
    left: read(pair.left),
    right: read(pair.right),
  })
  const rows: (Row | null)[] = [
    differing({ name: words.picture, of: 'picture', ...pictures(pair) }),
    differing({
      name: words.name,
      of: 'original_name',
      ...both(({ original_name }) => original_name ?? words.noName),
    }),
    differing({
      name: viewer().taken,
      of: 'content_datetime',
      ...both((file) => takenOf(file)),
    }),
    differing({
      name: words.tags,
      of: 'tags',
      ...both(({ tags }) => listOf(tags.map(({ name }) => name))),
    }),
    differing({
      name: words.pools,
      of: 'pools',
      ...both((file) => listOf(facts.poolsOf(file) ?? [])),
    }),
    differing({
      name: viewer().notes,
      of: 'notes',
      ...both(({ notes }) => notes ?? words.nothing),
    }),
    differing({
      name: words.metadata,
      of: 'metadata',
      ...both(({ metadata }) => (metadata ? JSON.stringify(metadata).slice(1, -1) : words.nothing)),
    }),
    differing({
      name: viewer().seenBy,
      of: pair.left.is_public === pair.right.is_public ? null : 'is_public',
      ...both((file) => seenBy(file, facts.viewersOf(file), self)),
    }),
    losers(pair, facts, choices, self),
  ]
  return rows.filter((row) => row !== null)
}

function differing(row: Row): Row | null {
  return row.left === row.right ? null : row
}

function listOf(names: string[]): string {
  return names.length > 0 ? [...names].sort().join(', ') : duplicates().nothing
}

/** Returns pixels, bytes and, where they differ, types: `12 MP · 2 MB`. */
function pictures({ left, right }: Pair): Record<Side, string> {
  const words = duplicates()
  const isRough = left.size !== right.size && bytes(left.size) === bytes(right.size)
  const text = ({ width, height, size, mime_extension }: File) =>
    [
      width && height && words.megapixels(megapixels(width * height)),
      isRough ? words.kilobytes(number(Math.round(size / 1000))) : bytes(size),
      left.mime_type !== right.mime_type && mime_extension.toUpperCase(),
    ]
      .filter(Boolean)
      .join(' · ')
  return { left: text(left), right: text(right) }
}

/** Returns a number of pixels in millions: `1.2`. */
function megapixels(pixels: number): string {
  const millions = pixels / 1e6
  return number(
    millions < 10 ? Math.max(0.1, Math.round(millions * 10) / 10) : Math.round(millions),
  )
}

/** Returns in words who sees a file. */
export function seenBy(file: File, { isPublic, names, isWhole }: Viewers, self: string): string {
  const words = viewer()
  if (isPublic) return words.everybody
  if (!isWhole && file.creator_name !== self) return words.from(file.creator_name)
  const others = names.filter((name) => name !== self)
  return others.length === 0 ? words.onlyYou : others.join(', ')
}

/** Names those that lose sight of both files, for either side that may be kept. */
function losers(pair: Pair, facts: Facts, choices: Choices, self: string): Row | null {
  const words = duplicates()
  const viewers = { left: facts.viewersOf(pair.left), right: facts.viewersOf(pair.right) }
  const ifKept = (side: Side) => {
    const isPublic = pair[sideOf(pair, 'is_public', side, choices)].is_public
    return losersOf(viewers, side, { isPublic, self })
  }
  const isOfTwo = pair.left.creator_id !== pair.right.creator_id
  const text = ({ isEverybody, names, isWhole }: Losers) => {
    if (isEverybody) return words.everybody
    const unknown = isWhole || !isOfTwo ? [] : [words.perhapsOthers]
    return [...names, ...unknown].join(', ') || words.nothing
  }
  const row = { left: text(ifKept('left')), right: text(ifKept('right')) }
  const isNobody = row.left === words.nothing && row.right === words.nothing
  return isNobody ? null : { name: words.wouldLose, of: null, ...row }
}
