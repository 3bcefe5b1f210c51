import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** The selection: files by their ids, or everything of a listing with exceptions. */
export type Selected =
  | { kind: 'files'; ids: ReadonlySet<string> }
  /** `of` distinguishes one selection of everything from another. */
  | { kind: 'all'; except: ReadonlySet<string>; of?: symbol }

export const NOTHING: Selected = { kind: 'files', ids: new Set() }

export function isSelected(selected: Selected, id: string): boolean {
  return selected.kind === 'all' ? !selected.except.has(id) : selected.ids.has(id)
}

/** Returns the number of selected files in a listing of `total` files. */
export function countOf(selected: Selected, total: number): number {
  return selected.kind === 'all' ? Math.max(0, total - selected.except.size) : selected.ids.size
}

/** Returns the selection with the files added, or removed if not `isOn`. */
export function withFiles(selected: Selected, ids: Iterable<string>, isOn: boolean): Selected {
  if (selected.kind === 'all') {
    const except = new Set(selected.except)
    for (const id of ids) {
      if (isOn) except.delete(id)
      else except.add(id)
    }
    return { ...selected, except }
  }
  const chosen = new Set(selected.ids)
  for (const id of ids) {
    if (isOn) chosen.add(id)
    else chosen.delete(id)
  }
  return { kind: 'files', ids: chosen }
}

/** Returns the selection with the unselected files added, or with all of them removed if none is. */
export function toggled(selected: Selected, ids: readonly string[]): Selected {
  return withFiles(selected, ids, !ids.every((id) => isSelected(selected, id)))
}

/**
 * Returns the current selection without files that are gone. If it is still the selection of everything
 * from which they were removed, the result names the remaining files by their ids, because files that
 * are added later are not part of it.
 */
export function afterLoss(
  now: Selected,
  { gone, before, left }: { gone: readonly string[]; before: Selected; left: readonly string[] },
): Selected {
  if (now.kind === 'files') return withFiles(now, gone, false)
  // A new selection of everything doesn't contain them, neither as selected nor as exceptions.
  if (before.kind === 'files' || before.of !== now.of) return withFiles(now, gone, true)
  return withFiles(
    NOTHING,
    left.filter((id) => isSelected(now, id)),
    true,
  )
}

/**
 * Returns the range between two positions in any order: its beginning and the position after its end.
 */
export function rangeOf(anchor: number, position: number): [number, number] {
  return [Math.min(anchor, position), Math.max(anchor, position) + 1]
}

/** The selection in a listing. */
export interface Selection {
  readonly selected: ReadonlySignal<Selected>
  readonly count: ReadonlySignal<number>
  has(id: string): boolean
  /** Adds the unselected files, or removes all if all are selected. */
  toggle(ids: readonly string[], position?: number): void
  /**
   * Toggles once the ids are loaded, unless the selection has changed meanwhile. Throws what `coming`
   * throws.
   */
  toggleLater(coming: Promise<readonly string[]>): Promise<void>
  /** Selects exactly these files. */
  set(ids: Iterable<string>): void
  replace(selected: Selected): void
  /** Removes files that are gone; `before` was the selection, and `left` of it still exist. */
  lose(gone: readonly string[], before: Selected, left: readonly string[]): void
  /**
   * Adds the files between the last toggled one and a position, and those up to `last`, which have no tile of their
   * own. Throws an ApiError.
   */
  extend(position: number, last?: number): Promise<void>
  all(): void
  clear(): void
}

interface Readable {
  readonly total: ReadonlySignal<number | null>
  positionOf(id: string): number | null
  locate(id: string): Promise<number | null>
  ids(from: number, end?: number): Promise<string[]>
}

/** Creates an empty selection. */
export function createSelection(files: Readable): Selection {
  const selected = signal(NOTHING)
  // The last toggled file, where a range begins, and the selection before that range.
  let anchor: { id?: string | undefined; position: number; selected: Selected } | null = null
  let turn = 0

  const replace = (next: Selected) => {
    turn++
    selected.value = next
  }
  // Returns the current position of the anchor's file; the old one if the listing doesn't contain it
  // any more.
  const placeOf = async ({ id, position }: { id?: string | undefined; position: number }) => {
    if (id === undefined) return position
    return files.positionOf(id) ?? (await files.locate(id)) ?? position
  }
  return {
    selected,
    count: computed(() => countOf(selected.value, files.total.value ?? 0)),
    has: (id) => isSelected(selected.value, id),
    toggle(ids, position) {
      replace(toggled(selected.peek(), ids))
      anchor = position === undefined ? null : { id: ids[0], position, selected: selected.peek() }
    },
    async toggleLater(coming) {
      const own = ++turn
      const ids = await coming
      if (own === turn) this.toggle(ids)
    },
    set(ids) {
      replace(withFiles(NOTHING, ids, true))
    },
    replace,
    lose(gone, before, left) {
      replace(afterLoss(selected.peek(), { gone, before, left }))
      if (anchor) anchor = { ...anchor, selected: withFiles(anchor.selected, gone, false) }
    },
    async extend(position, last = position) {
      anchor ??= { position, selected: selected.peek() }
      const { selected: before } = anchor
      const own = ++turn
      const start = await placeOf(anchor)
      const ids = await files.ids(...rangeOf(start, start < position ? last : position))
      // Otherwise a later range or click was quicker.
      if (own === turn) selected.value = withFiles(before, ids, true)
    },
    all() {
      replace({ kind: 'all', except: new Set(), of: Symbol('all') })
      anchor = null
    },
    clear() {
      replace(NOTHING)
      anchor = null
    },
  }
}

interface Owner {
  /** The session's `k`. */
  k: string
  listing: string
}

interface Stored extends Owner {
  kind: Selected['kind']
  /** The files that are selected or, if everything is, those that are not. */
  ids: string[]
}

/** Serializes a selection for `readSelected`. */
export function writeSelected(selected: Selected, { k, listing }: Owner): string {
  const { kind } = selected
  const ids = [...(selected.kind === 'all' ? selected.except : selected.ids)]
  return JSON.stringify({ k, listing, kind, ids } satisfies Stored)
}

/** Parses a selection; null if it belongs to another user or listing. */
export function readSelected(text: string, owner: Owner): Selected | null {
  const { k, listing, kind, ids } = JSON.parse(text) as Stored
  if (k !== owner.k || listing !== owner.listing) return null
  return kind === 'all' ? { kind, except: new Set(ids) } : { kind, ids: new Set(ids) }
}
