import { api, ask } from '../base/api.ts'
import { FLAGS, type Listing } from '../base/listing.ts'
import { session } from '../base/session.ts'
import { files, type Selected, selection, show } from '../grid/index.ts'
import { listing } from '../routes.ts'
import type { Ids, Target } from '../tagging/index.ts'

/** How many cells the API tells at once. */
const CELLS = 1000

let targets = 0

/** Returns the target of what is selected now. */
export function selectedTarget(): Target {
  const selected = selection.selected.value
  const count = selection.count.value
  const now = listing.peek()
  let loaded: Promise<Ids> | undefined
  const load = () => idsOf(selected, now)
  return {
    key: `selection ${++targets}`,
    count,
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
    return { ids, locked: ids.filter(isLocked) }
  }
  const isChosen = (id: string) => !selected.except.has(id)
  if (session.peek()?.user.is_admin) {
    const ids = await files.ids(0)
    return { ids: ids.filter(isChosen), locked: [] }
  }
  return cellsOf(of, isChosen)
}

/** Whether a file that is loaded may not be edited. */
function isLocked(id: string): boolean {
  const position = files.positionOf(id)
  const cell = position === null ? null : files.peek(position)
  return cell !== null && (cell.flags & FLAGS.editable) === 0
}

/** Ids alone don't tell whose the files are. */
async function cellsOf(of: Listing, isChosen: (id: string) => boolean): Promise<Ids> {
  const found: Ids = { ids: [], locked: [] }
  let cursor: string | undefined
  do {
    const query = { ...of, limit: CELLS, hashes: '0' as const, ...(cursor && { cursor }) }
    const page = await ask(api.GET('/api/v1/files/cells', { params: { query } }))
    page.ids.forEach((id, index) => {
      if (!isChosen(id)) return
      found.ids.push(id)
      if ((page.f[index]! & FLAGS.editable) === 0) found.locked.push(id)
    })
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}
