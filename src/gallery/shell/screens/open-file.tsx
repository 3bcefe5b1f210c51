import { useSignal } from '@preact/signals'
import { Layers } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import type { Destination } from '../../base/address.ts'
import { useKeys } from '../../base/keys.ts'
import { putIntoPool } from '../../bulk/index.ts'
import { files, show } from '../../grid/index.ts'
import { OnDemand } from '../../parts/on-demand.tsx'
import { complain } from '../../parts/toast.tsx'
import { Tool } from '../../parts/tool.tsx'
import { AddToPool, mayPool } from '../../pool-box/index.ts'
import { ABOVE, APART, hrefOf, listing, openFile, replace } from '../../routes.ts'
import { loadSlideshow, playListing, show as slideshow } from '../../slideshow/index.ts'
import { oneFile, Tagging, TagKeys, useTagger } from '../../tag-box/index.ts'
import { poolBox } from '../../text/pool-box.ts'
import { historyOf, Viewer } from '../../viewer/index.ts'

const load = async () => (await import('../../audit/index.tsx')).FileHistory

/** Shows what was done to a file, above its viewer, on request. */
export function History() {
  // The browser's back may close the viewer first.
  useEffect(() => close, [])
  const id = historyOf.value
  return id === null ? null : <OnDemand load={load} id={id} onClose={close} />
}

function close(): void {
  historyOf.value = null
}

/** Shows the tags of the open file, to be changed by the keyboard. */
export function FileTags({ id }: { id: string }) {
  const tagger = useTagger(oneFile(id))
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <TagKeys tagger={tagger} more={{ t: () => input.current?.focus() }} />
      <Tagging tagger={tagger} input={input} sharesKeys="all" />
    </>
  )
}

function endSlideshow(): void {
  slideshow.value = null
}

/** Shows the file of the address, above the grid. */
export function OpenFile() {
  const id = openFile.value
  const { trash: isInTrash = false, pool } = listing.value
  if (id === null) return null
  // An address from elsewhere, as by the browser's back, ends it.
  if (slideshow.value?.first === id) {
    return <OnDemand load={loadSlideshow} of={slideshow.value} onClose={endSlideshow} />
  }
  return (
    <>
      <Viewer
        files={files}
        id={id}
        isInTrash={isInTrash}
        onGo={(next) => replace({ path: `/f/${next}`, at: next })}
        onClose={() => {
          const path = isInTrash ? '/trash' : pool ? `/albums/${pool}` : '/'
          const isListed = history.state !== APART
          void leave({ path, at: id }).then(() => {
            if (isListed) return show(id, { hasFocus: true })
          })
        }}
        play={() => playListing(files, id)}
        {...(!isInTrash && mayPool() && { tools: <PoolTool key={id} id={id} /> })}
        panel={<FileTags key={id} id={id} />}
      />
      <History />
    </>
  )
}

let leaving: Promise<void> | undefined

/**
 * Goes to a destination, and replaces the entry of the history from which the file was opened; if that
 * has other files, goes back to it as it is. Resolves when it is there.
 */
function leave(destination: Destination): Promise<void> {
  leaving ??= new Promise<void>((resolve) => {
    const { state } = history
    if (state !== ABOVE && state !== APART) {
      replace(destination)
      return resolve()
    }
    const href = hrefOf(destination)
    const arrive = () => {
      if (state === ABOVE) history.replaceState(null, '', href)
      resolve()
    }
    // Before the page follows, which would scroll to the older place.
    addEventListener('popstate', arrive, { once: true, capture: true })
    history.back()
  }).finally(() => {
    leaving = undefined
  })
  return leaving
}

/** A button that adds the open file to a pool. */
function PoolTool({ id }: { id: string }) {
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  useKeys('pooling', { p: open })
  return (
    <>
      <Tool label={poolBox().add} icon={Layers} act={open} />
      {isOpen.value && (
        <AddToPool
          count={1}
          onPick={(pool) => void putIntoPool(oneFile(id), pool).catch(complain)}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}
