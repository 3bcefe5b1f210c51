import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useKeys } from '../../base/keys.ts'
import { mayCreate } from '../../base/session.ts'
import { Modal } from '../../parts/dialog.tsx'
import { Grip } from '../../parts/grip.tsx'
import { areTagsLoaded, prepareTags, reloadTags, tagsError } from '../../tag-box/index.ts'
import { common } from '../../text/common.ts'
import { problem } from '../../text/problem.ts'
import { tagPage } from '../../text/tag-page.ts'
import { Bar } from './bar.tsx'
import { CategoryEditor } from './category-editor.tsx'
import { List } from './list.tsx'
import { Make } from './make.tsx'
import { Offer } from './offer.tsx'
import {
  close,
  isNarrow,
  making,
  mergeInto,
  openCategory,
  openId,
  openTag,
  wanted,
} from './state.ts'
import { TagEditor } from './tag-editor.tsx'

/** Shows all tags by category; a tag or category opens beside them to be changed. */
export function TagsPage() {
  const words = tagPage()
  const find = useRef<HTMLInputElement>(null)
  const mayMake = mayCreate() === true
  useKeys('tags', {
    '/': () => find.current!.select(),
    ...(mayMake && {
      n: () => {
        making.value = 'tag'
      },
    }),
    ...(openId.value !== null && { Escape: () => close() }),
  })
  useEffect(() => {
    prepareTags()
    return () => {
      wanted.value = ''
      making.value = null
      mergeInto.value = null
    }
  }, [])
  return (
    <>
      <Bar find={find} mayMake={mayMake} />
      <Offer />
      <div class="split">
        {tagsError.value && !areTagsLoaded.value ? (
          <div class="void">
            <p>{problem(tagsError.value)}</p>
            <button type="button" class="btn" onClick={reloadTags}>
              {words.retry}
            </button>
          </div>
        ) : (
          <List />
        )}
        <Panel />
      </div>
      {making.value && <Make key={making.value} what={making.value} />}
    </>
  )
}

/** Shows the open tag or category beside the list, or on phones above it. */
function Panel() {
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
