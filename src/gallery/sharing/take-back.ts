import type { Draft, Right } from './sight.ts'
import type { State } from './state.ts'

/**
 * Returns the change of rights that restores exactly what was before a draft; null if the page can't know
 * what that was. Whether everybody may view it isn't in it, because an undo restores that.
 */
export function rightsBefore(
  state: Pick<State, 'kind' | 'list' | 'pictures' | 'sharesFiles'>,
  draft: Draft,
  hasPictures: boolean,
): Draft | null {
  const { kind, list, pictures, sharesFiles } = state
  const sees = (id: number) => (pictures?.sights.get(id)?.seen ?? 0) > 0
  const isThrough = kind === 'pool' && (draft.sharesFiles ?? sharesFiles)
  const isLosing = draft.sharesFiles === false || [...draft.rights.values()].includes('out')
  // Who shares again shares their own pictures alone.
  if (sharesFiles && isLosing && pictures!.all > pictures!.own) return null
  const rights = new Map<number, Right | 'out'>()
  for (const [id, right] of draft.rights) {
    // Each picture has a list of its own, which may have named them.
    const hasLists = kind === 'files' || (kind === 'pool' && hasPictures && !isThrough)
    if (hasLists && (right === 'out' || sees(id))) return null
    rights.set(id, list?.entries.get(id) ?? 'out')
  }
  const isOther = draft.sharesFiles !== undefined
  return { rights, isPublic: null, ...(isOther && { sharesFiles }) }
}
