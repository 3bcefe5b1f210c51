import { Lock, Share2 } from 'lucide'
import { useResource } from '../base/resource.ts'
import { settled } from '../base/settled.ts'
import { Icon } from '../parts/icon.tsx'
import { complain } from '../parts/toast.tsx'
import { sharing } from '../text/sharing.ts'
import { readState } from './read.ts'
import { reportShared, sharePictures } from './send.ts'
import { gapsOf, listed } from './words.ts'

interface GapProps {
  pool_id: string
  /** Called when pictures were shared, whose cells may look different. */
  onShared?(ids: string[]): void
}

/** Says that a shared pool has pictures that its viewers don't see, and offers to share them. */
export function Gap({ pool_id, onShared }: GapProps) {
  const loaded = useResource((signal) => {
    // A change may have added files, or shared the pool.
    void settled.value
    return readState({ pool_id }, signal)
  })
  const state = loaded.data.value
  const { people, isOpen } = state ? gapsOf(state) : { people: [], isOpen: false }
  if (people.length === 0) return null
  const words = sharing()
  const counts = new Set(people.map(({ count }) => count))
  const names = listed(people.map(({ name }) => name))
  const fill = async () => {
    const ids = await state!.ids()
    const add = isOpen ? [] : people.map(({ id }) => ({ user_id: id, can_edit: false }))
    const change = { add, remove: [], isPublic: isOpen ? true : null }
    const { signal } = new AbortController()
    const watch = { signal, onProgress: () => {} }
    const outcome = await sharePictures(ids, change, watch)
    if (outcome.error !== undefined) complain(outcome.error)
    const rights = new Map(add.map(({ user_id }) => [user_id, 'view'] as const))
    // Some of the pictures may have named them already.
    const back = isOpen ? {} : { back: null }
    if (outcome.done > 0) {
      await reportShared(
        { pool_id },
        { rights, isPublic: change.isPublic },
        { ...outcome, ids, ...back },
      )
      onShared?.(ids)
    }
  }
  return (
    <div class="gap" role="status">
      <Icon of={Lock} />
      <span class="rest">
        <b>
          {counts.size === 1
            ? words.gap(people[0]!.count, names)
            : words.gaps(listed(people.map(({ name, count }) => words.lacks(name, count))))}
        </b>
        .
      </span>
      <button type="button" class="btn" onClick={() => void fill().catch(complain)}>
        <Icon of={Share2} />
        {isOpen ? words.showAll : words.shareThem}
      </button>
    </div>
  )
}
