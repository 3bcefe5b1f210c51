import { go } from '../../routes.ts'
import { type Tag, tagsById } from '../../tagging/index.ts'
import { editTag } from './changes.ts'
import { hrefOfOpen, mergeInto } from './state.ts'

const TYPE = 'application/x-tagstead-tag'

let dragged: Tag | null = null
let marked: HTMLElement | null = null

export function beginDrag({ dataTransfer }: DragEvent, tag: Tag): void {
  dragged = tag
  dataTransfer!.setData(TYPE, tag.id)
  dataTransfer!.effectAllowed = 'move'
}

/** Ends the drag, wherever the tag was dropped. */
export function endDrag(): void {
  dragged = null
  mark(null)
}

/** The handlers of an element that accepts tags dropped on a tag or category in it. */
export const dropTarget = {
  onDragOver(event: DragEvent): void {
    const taker = takerOf(event)
    mark(taker)
    if (!taker) return
    event.preventDefault()
    event.dataTransfer!.dropEffect = 'move'
  },
  onDragLeave(): void {
    mark(null)
  },
  onDrop(event: DragEvent): void {
    const taker = takerOf(event)
    if (!taker) return
    event.preventDefault()
    const { tag: into, category } = taker.dataset
    if (into !== undefined) askToMerge(dragged!, into)
    else void editTag(dragged!, { category_id: category || null })
    endDrag()
  },
}

function askToMerge(tag: Tag, into: string): void {
  mergeInto.value = { from: tag.id, into: tagsById.peek().get(into)! }
  go(hrefOfOpen(tag.id))
}

/** Returns the other tag, or the other section, that would accept what is dragged. */
function takerOf(event: DragEvent): HTMLElement | null {
  // There is no dragend event when the tag's element was removed from the list, which renders only what
  // is visible.
  if (!dragged || !event.dataTransfer?.types.includes(TYPE)) return null
  const { id, category_id, category_name } = dragged
  const over = event.target as Element
  const link = over.closest<HTMLElement>('[data-tag]')
  if (link) return link.dataset.tag === id ? null : link
  const section = over.closest<HTMLElement>('[data-category]')
  const own = category_name === null ? '' : category_id
  return section?.dataset.category === own ? null : section
}

function mark(taker: HTMLElement | null): void {
  if (marked === taker) return
  marked?.classList.remove('target')
  taker?.classList.add('target')
  marked = taker
}
