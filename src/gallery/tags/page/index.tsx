import { useEffect, useRef } from 'preact/hooks'
import { useKeys } from '../../base/keys/keys.ts'
import { mayCreate } from '../../base/session.ts'
import { areTagsLoaded, prepareTags, reloadTags, tagsError } from '../../tagging/index.ts'
import { problem } from '../../text/problem.ts'
import { tagPage } from '../../text/tag-page.ts'
import { Bar } from './bar.tsx'
import { List } from './list.tsx'
import { Make } from './make.tsx'
import { Panel } from './panel.tsx'
import { close, making, mergeInto, openId, wanted } from './state.ts'

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
