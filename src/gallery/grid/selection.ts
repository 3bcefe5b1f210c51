import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** What is selected: files by their ids, or everything of a listing but a few. */
export type Selected =
  | { kind: 'files'; ids: ReadonlySet<string> }
  /** `of` tells one choice of everything from another. */
  | { kind: 'all'; except: ReadonlySet<string>; of?: symbol }

export const NOTHING: Selected = { kind: 'files', ids: new Set() }

/** Returns whether a file is selected. */
export function isSelected(selected: Selected, id: string): boolean {
  return selected.kind === 'all' ? !selected.except.has(id) : selected.ids.has(id)
}

/** Returns the number of files selected in a listing of `total` files. */
export function countOf(selected: Selected, total: number): number {
  return selected.kind === 'all' ? Math.max(0, total - selected.except.size) : selected.ids.size
}

/** Returns the selection with these files selected too, or with none of them. */
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

/** Returns the selection with files selected that were not, or with all of them taken out. */
export function toggled(selected: Selected, ids: readonly string[]): Selected {
  return withFiles(selected, ids, !ids.every((id) => isSelected(selected, id)))
}

/**
 * Returns what is selected now without files that are gone. Of everything, when it is that of which
 * they were taken, those are selected by their ids that are left of it: what comes later is new.
 */
export function afterLoss(
  now: Selected,
  { gone, before, left }: { gone: readonly string[]; before: Selected; left: readonly string[] },
): Selected {
  if (now.kind === 'files') return withFiles(now, gone, false)
  // Another choice of everything doesn't hold them any more, neither chosen nor left out.
  if (before.kind === 'files' || before.of !== now.of) return withFiles(now, gone, true)
  return withFiles(
    NOTHING,
    left.filter((id) => isSelected(now, id)),
    true,
  )
}

/** Returns the positions from one end of a range to after the other, whichever comes first. */
export function rangeOf(anchor: number, position: number): [number, number] {
  return [Math.min(anchor, position), Math.max(anchor, position) + 1]
}

/** The selection of a listing. */
export interface Selection {
  readonly selected: ReadonlySignal<Selected>
  /** The number of files that are selected. */
  readonly count: ReadonlySignal<number>
  has(id: string): boolean
  /** Selects files that are not selected, or none of them when all are. */
  toggle(ids: readonly string[], position?: number): void
  /** Does so when the ids have come, unless something else was selected meanwhile. Throws as they do. */
  toggleLater(coming: Promise<readonly string[]>): Promise<void>
  /** Selects these files and no others. */
  set(ids: Iterable<string>): void
  replace(selected: Selected): void
  /** Takes files out that are gone, of which `before` was selected and `left` are still there. */
  lose(gone: readonly string[], before: Selected, left: readonly string[]): void
  /** Selects also what is between the file toggled last and a position. Throws an ApiError. */
  extend(position: number): Promise<void>
  /** Selects everything of the listing. */
  all(): void
  clear(): void
}

/** Where a selection reads the listing that it is of. */
interface Readable {
  readonly total: ReadonlySignal<number | null>
  positionOf(id: string): number | null
  locate(id: string): Promise<number | null>
  ids(from: number, end?: number): Promise<string[]>
}

/** Returns an empty selection. */
export function createSelection(files: Readable): Selection {
  const selected = signal(NOTHING)
  /** The file toggled last, from which a range goes, and what was selected then. */
  let anchor: { id?: string | undefined; position: number; selected: Selected } | null = null
  let turn = 0

  const replace = (next: Selected) => {
    turn++
    selected.value = next
  }
  /** Where the file of an anchor is now; where it was when the listing hasn't got it any more. */
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
    async extend(position) {
      anchor ??= { position, selected: selected.peek() }
      const { selected: before } = anchor
      const own = ++turn
      const start = await placeOf(anchor)
      const ids = await files.ids(...rangeOf(start, position))
      // A later range, or a click, has been quicker.
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
