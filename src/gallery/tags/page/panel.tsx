import { useLayoutEffect, useRef } from 'preact/hooks'
import { Modal } from '../../parts/dialog/modal.tsx'
import { Grip } from '../../parts/grip.tsx'
import { common } from '../../text/common.ts'
import { CategoryEditor } from './category-editor.tsx'
import { close, isNarrow, openCategory, openId, openTag } from './state.ts'
import { TagEditor } from './tag-editor.tsx'

/** Shows the open tag or category beside the list, or on phones above it. */
export function Panel() {
  const tag = openTag.value
  const category = openCategory.value
  const name = (tag ?? category)?.name
  const aside = useRef<HTMLElement>(null)
  const isThere = name !== undefined
  useLayoutEffect(() => {
    // The focus moves into it, for users that opened it by a key.
    aside.current?.focus()
  }, [openId.value, isThere])
  if (name === undefined) return null
  const content = tag ? (
    <TagEditor key={tag.id} tag={tag} />
  ) : (
    <CategoryEditor key={category!.id} category={category!} />
  )
  if (isNarrow.value) {
    return (
      <Modal label={name} class="sheet edit" onClose={() => close()}>
        <Grip label={common().close} act={() => close()} />
        {content}
      </Modal>
    )
  }
  return (
    <aside class="edit" ref={aside} aria-label={name} tabIndex={-1}>
      {content}
    </aside>
  )
}
