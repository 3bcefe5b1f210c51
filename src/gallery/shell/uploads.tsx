import { useSignal } from '@preact/signals'
import { Layers } from 'lucide'
import type { RefObject, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isTyping } from '../base/keys.ts'
import { singleKeys } from '../base/preferences.ts'
import { useResource } from '../base/resource.ts'
import { Chip } from '../parts/chip.tsx'
import { Icon, Kbd } from '../parts/icon.tsx'
import { type Pool, PoolBox, pools, seenLater } from '../pool-box/index.ts'
import { colorOf, TagBox, tagsById } from '../tag-box/index.ts'
import { poolBox } from '../text/pool-box.ts'
import { shell } from '../text/shell.ts'
import { batch, batchPool, chooseTag, DropZone, UploadPanel } from '../upload/index.ts'

/** Accepts dropped files anywhere, and shows the progress of uploads. */
export function Uploads() {
  return (
    <>
      <DropZone />
      <UploadPanel picker={<BatchPicker />} />
    </>
  )
}

function BatchPicker() {
  const ids = batch.tags.value
  const input = useRef<HTMLInputElement>(null)
  const pool = useRef<HTMLButtonElement>(null)
  const isPooling = useSignal(false)
  const look = () => {
    isPooling.value = true
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const isLetter = [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isTyping(event) || !isLetter || singleKeys.value === 'off') return
    event.stopPropagation()
    if (key === 'p') {
      event.preventDefault()
      look()
      // Any other case continues with the tags.
    } else input.current!.focus()
  }
  useLayoutEffect(() => {
    // On a phone, the keyboard would cover the list.
    if (!matchMedia('(pointer: coarse)').matches) input.current!.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what has the focus are buttons and boxes in it
    <div class="batch" onKeyDown={onKeyDown}>
      {ids.length > 0 && <BatchTags ids={ids} />}
      <TagBox
        input={input}
        present={new Set(ids)}
        onPick={(id) => {
          chooseTag(id)
          if (singleKeys.value === 'on') pool.current?.focus()
        }}
        onLeave={() => input.current?.blur()}
      />
      <BatchPool
        button={pool}
        isOpen={isPooling.value}
        open={look}
        close={() => {
          isPooling.value = false
          requestAnimationFrame(() => pool.current?.focus())
        }}
      />
    </div>
  )
}

function BatchTags({ ids }: { ids: readonly string[] }) {
  return (
    <div class="chips">
      {ids.map((id) => {
        const tag = tagsById.value.get(id)
        if (!tag) return null
        return (
          <Chip
            key={id}
            color={colorOf(tag)}
            removeLabel={shell().leaveOut(tag.name)}
            onRemove={() => {
              batch.set(ids.filter((other) => other !== id))
            }}
          >
            {tag.name}
          </Chip>
        )
      })}
    </div>
  )
}

interface BatchPoolProps {
  button: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  open(): void
  close(): void
}

function BatchPool({ button, isOpen, open, close }: BatchPoolProps) {
  const words = poolBox()
  const chosen = batchPool.pool.value
  const pool = chosen && pools.value.find(({ id }) => id === chosen.id)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (isOpen) input.current!.focus()
  }, [isOpen])
  if (isOpen) {
    return (
      <PoolBox
        input={input}
        onPick={(pool) => {
          batchPool.set(pool)
          close()
        }}
        onLeave={close}
      />
    )
  }
  return (
    <div class="chips">
      {chosen && (
        <Chip removeLabel={words.leaveOut(chosen.name)} onRemove={() => batchPool.set(null)}>
          <Icon of={Layers} />
          <span>{chosen.name}</span>
        </Chip>
      )}
      <button ref={button} type="button" class="btn quiet" onClick={open}>
        <Icon of={Layers} />
        {words.into} <Kbd of="p" />
      </button>
      {pool && <SeenLater key={pool.id} pool={pool} />}
    </div>
  )
}

function SeenLater({ pool }: { pool: Pool }) {
  const seen = useResource((signal) => seenLater(pool, signal)).data.value
  return seen ? <p class="muted small">{seen}</p> : null
}
