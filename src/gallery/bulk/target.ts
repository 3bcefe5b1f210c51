import { api, ask } from '../base/api.ts'
import { FLAGS, type Listing, MOST_CELLS } from '../base/listing.ts'
import { isNoted, noteFilms } from '../base/pairs.ts'
import { session } from '../base/session.ts'
import { files, type Selected, selection, show } from '../grid/index.ts'
import { listing } from '../routes.ts'
import type { Ids, Target } from '../tag-box/index.ts'
import { lockedOf } from './left-out.ts'

let targets = 0

/** Returns the current selection as a target. */
export function selectedTarget(): Target {
  const selected = selection.selected.value
  const count = selection.count.value
  const now = listing.peek()
  let loaded: Promise<Ids> | undefined
  const load = () => idsOf(selected, now)
  return {
    key: `selection ${++targets}`,
    count,
    listing: selected.kind === 'all' && selected.except.size === 0 ? now : undefined,
    ids() {
      loaded ??= load().catch((error) => {
        loaded = undefined
        throw error
      })
      return loaded
    },
    show: (ids) => {
      selection.set(ids)
      void show(ids[0]!)
    },
  }
}

async function idsOf(selected: Selected, of: Listing): Promise<Ids> {
  if (selected.kind === 'files') {
    const ids = [...selected.ids]
    const isAdmin = session.peek()?.user.is_admin ?? false
    // A selection that survived a reload may be of files whose films are not known yet.
    if (isAdmin && ids.every(isNoted)) return { ids, locked: [] }
    const read = (anchor: string) => readCells({ ...of, anchor, pairs: '1' })
    const locked = await lockedOf(ids, files.flags(), read)
    return { ids, locked: isAdmin ? [] : locked }
  }
  const isChosen = (id: string) => !selected.except.has(id)
  if (session.peek()?.user.is_admin) {
    const ids = await files.ids(0)
    return { ids: ids.filter(isChosen), locked: [] }
  }
  return cellsOf(of, isChosen)
}

/**
 * Reads as many cells of a listing as the API returns at once; with `pairs: '1'`, films are one with their pictures.
 * Throws an ApiError.
 */
export async function readCells(of: Listing & { cursor?: string; anchor?: string; pairs?: '1' }) {
  const query = { ...of, limit: MOST_CELLS, hashes: '0' as const }
  const page = await ask(api.GET('/api/v1/files/cells', { params: { query } }))
  noteFilms(page.ids, page.c)
  return page
}

/** The ids alone don't say which files belong to others. */
async function cellsOf(of: Listing, isChosen: (id: string) => boolean): Promise<Ids> {
  const found: Ids = { ids: [], locked: [] }
  let cursor: string | undefined
  do {
    const page = await readCells({ ...of, pairs: '1', ...(cursor && { cursor }) })
    page.ids.forEach((id, index) => {
      if (!isChosen(id)) return
      found.ids.push(id)
      if ((page.f[index]! & FLAGS.editable) === 0) found.locked.push(id)
    })
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}
