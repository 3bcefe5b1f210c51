/** What is selected: files by their ids, or everything of a listing but a few. */
export type Selected =
  | { kind: 'files'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> }

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
    return { kind: 'all', except }
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

/** Returns the positions from one end of a range to after the other, whichever comes first. */
export function rangeOf(anchor: number, position: number): [number, number] {
  return [Math.min(anchor, position), Math.max(anchor, position) + 1]
}
