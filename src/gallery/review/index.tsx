import { computed, useSignal } from '@preact/signals'
import { Check, ChevronRight, Inbox as InboxIcon, Undo2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { act, api } from '../base/api.ts'
import { number } from '../base/format.ts'
import { isLocked } from '../base/listing.ts'
import { mediaUrl } from '../base/media.ts'
import { withFilms } from '../base/pairs.ts'
import { useResource } from '../base/resource.ts'
import { remember, undone } from '../base/undo/undo.ts'
import { Failure, type Files, openFiles } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import { complain, undoLast } from '../parts/toast.tsx'
import { at, go, hrefOf, listing, replace } from '../routes.ts'
import { review as text } from '../text/review.ts'
import { readThisDay } from '../this-day/read.ts'
import { Viewer } from '../viewer/index.ts'

const NEW = '{r=1}'
const UNTAGGED = '{t=00000000-0000-0000-0000-000000000000}'

const isUntagged = computed(() => listing.value.filter === UNTAGGED)
const inbox = computed(() => ({ ...listing.value, filter: isUntagged.value ? UNTAGGED : NEW }))

/** Shows the files that nobody has reviewed yet, or that have no tag, one after the other. */
export function Inbox({ panel }: { panel(id: string): ComponentChildren }) {
  const files = useMemo(() => openFiles(() => inbox.value), [])
  useEffect(() => () => files.close(), [files])
  const total = files.total.value
  const id = at.value ?? files.peek(0)?.id ?? null
  const { done, isOthers, reviewAndGoOn } = useReview(files, id)

  if (total === 0 || (total !== null && id === null)) return <AllReviewed />
  if (total === null && files.error.value) {
    return <Failure error={files.error.value} retry={() => files.reopen()} />
  }
  if (id === null || total === null) return null
  const words = text()
  const all = done + total
  return (
    <Viewer
      files={files}
      id={id}
      onGo={show}
      onClose={() => go({ path: '/', listing: null, at: null })}
      onLastGone={() => show(null)}
      panel={panel(id)}
      title={
        <>
          <span class="screen">{words.inbox}</span>
          <span class="num left">
            {words.place(number(Math.min(done + 1, all)), number(all), isUntagged.value)}
          </span>
          <progress class="meter" aria-label={words.reviewed} value={done} max={all} />
        </>
      }
      foot={
        <div class="done">
          <button
            type="button"
            class="btn icononly"
            aria-label={words.undo}
            title={words.undo}
            onClick={() => void undoLast()}
          >
            <Icon of={Undo2} />
          </button>
          <button type="button" class="btn primary" onClick={() => void reviewAndGoOn()}>
            <Icon of={isOthers ? ChevronRight : Check} />
            {isOthers ? words.onward : words.next} <kbd>␣</kbd>
          </button>
        </div>
      }
      keys={{ Space: () => void reviewAndGoOn() }}
    />
  )
}

function show(id: string | null): void {
  replace({ at: id })
}

/** Returns how many files are reviewed, and a function that reviews the shown one and shows the next. */
function useReview(files: Files, id: string | null) {
  // The reviewed file of each operation.
  const reviewed = useMemo(() => new Map<number, string>(), [])
  const done = useSignal(0)
  const place = id === null ? null : files.positionOf(id)
  const cell = place === null ? null : files.peek(place)
  // Whether only its owner can mark it as reviewed.
  const isOthers = cell !== null && isLocked(cell)

  const reviewAndGoOn = async () => {
    if (!id) return
    const position = files.positionOf(id)
    const next = position === null ? null : (files.peek(position + 1) ?? files.peek(position - 1))
    show(next?.id ?? null)
    files.remove([id])
    done.value++
    if (isOthers) return
    try {
      const body = { file_ids: withFilms([id]), needs_review: false }
      const { operation } = await act(api.POST('/api/v1/files/bulk/review', { body }))
      if (operation === null) return
      reviewed.set(operation, id)
      remember(operation)
    } catch (error) {
      done.value--
      complain(error)
      await files.refresh().catch(complain)
      show(id)
    }
  }
  useEffect(() => {
    const back = undone.value === null ? undefined : reviewed.get(undone.value)
    if (back === undefined) return
    reviewed.delete(undone.value!)
    done.value--
    show(back)
  }, [undone.value])
  return { done: done.value, isOthers, reviewAndGoOn }
}

function AllReviewed() {
  const words = text()
  const year = useResource((signal) => readThisDay(signal)).data.value?.[0]
  const picture = year?.shown[0]
  return (
    <div class="void">
      <Icon of={InboxIcon} />
      <h1>{isUntagged.value ? words.allTagged : words.allReviewed}</h1>
      <p>
        {isUntagged.value ? (
          <a class="btn" href={hrefOf({ path: '/inbox', listing: null, at: null })}>
            {words.toNew}
          </a>
        ) : (
          <a class="btn" href={hrefOf({ path: '/inbox', listing: { filter: UNTAGGED }, at: null })}>
            {words.toUntagged}
          </a>
        )}
      </p>
      {picture && (
        <a class="memory" href={`/f/${picture.id}`}>
          <img src={mediaUrl(picture.id, 'preview', { v: picture.version })} alt="" />
          {words.yearsAgo(year.ago)}
        </a>
      )}
    </div>
  )
}
