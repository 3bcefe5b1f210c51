import { effect } from '@preact/signals'
import { api, ask, asOneChange } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { changedHearts, hasHeart } from '../base/hearts.ts'
import type { Cell } from '../base/listing.ts'
import { withFilms } from '../base/pairs.ts'
import { returns } from '../base/returning.ts'
import { complain, toast } from '../parts/toast.tsx'
import { areFavourites, openFile } from '../routes.ts'
import { common } from '../text/common.ts'

/** The files that are shown, as far as hearts are concerned. */
interface Listed {
  positionOf(id: string): number | null
  peek(position: number): Cell | null
  remove(ids: string[]): void
  refresh(): Promise<void>
}

effect(() => {
  // The listing is read again then, with what was changed elsewhere.
  void returns.value
  changedHearts.value = new Map()
})

/** Shows files with hearts, or without, before the server has answered; returns what takes that back for some. */
export function showHearts(
  ids: readonly string[],
  isOn: boolean,
): (some: readonly string[]) => void {
  const before = changedHearts.peek()
  const show = (some: readonly string[], heartOf: (id: string) => boolean | undefined) => {
    const changed = withFilms(some).map((id) => [id, heartOf(id)] as const)
    changedHearts.value = new Map([...changedHearts.peek(), ...changed])
  }
  show(ids, () => isOn)
  return (some) => show(some, (id) => before.get(id))
}

/** Requests that files become favourites, or are none any longer. */
export function sendHearts(file_ids: string[], is_favourite: boolean) {
  return api.POST('/api/v1/files/bulk/favourite', { body: { file_ids, is_favourite } })
}

let queue: Promise<unknown> = Promise.resolve()

/** Makes a file a favourite, or no longer: at once on the screen, and back if the server refuses. */
export async function heart(files: Listed, id: string, isOn: boolean): Promise<void> {
  showHearts([id], isOn)
  // An open file leaves only when it is closed, so that the same key can take it back.
  if (!isOn && openFile.peek() === null) leaveFavourites(files, id)
  const sent = asOneChange(queue.then(() => ask(sendHearts(withFilms([id]), isOn))))
  queue = sent.catch(() => undefined)
  let isHearted = isOn
  try {
    const { skipped_ids } = await sent
    if (skipped_ids.includes(id)) throw new ApiError(404, 'not_found')
  } catch (error) {
    isHearted = !isOn
    showHearts([id], isHearted)
    complain(error)
  }
  if (isHearted && areFavourites.peek()) await files.refresh().catch(complain)
}

/** Makes a file of a listing a favourite or, if it is one, no longer; nothing if it isn't loaded. */
export function toggleHeart(files: Listed, id: string | null): void {
  const position = id === null ? null : files.positionOf(id)
  const cell = position === null ? null : files.peek(position)
  if (cell) void heart(files, cell.id, !hasHeart(cell))
}

/** Removes a file from the favourites, if these are what is shown, and offers to take that back. */
export function leaveFavourites(files: Listed, id: string): void {
  if (!areFavourites.peek()) return
  files.remove([id])
  const act = () => void heart(files, id, true)
  toast({ text: common().unliked, action: { text: common().undo, act } })
}
