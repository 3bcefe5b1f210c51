import { signal, useSignal } from '@preact/signals'
import { Layers } from 'lucide'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { mayCreate } from '../base/session.ts'
import { remember } from '../base/undo/undo.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { toast } from '../parts/toast.tsx'
import { Marked } from '../tag-box/index.ts'
import { findTags, type Match, tagNamed } from '../tag-box/match.ts'
import { poolBox } from '../text/pool-box.ts'
import { problem } from '../text/problem.ts'
import { arePoolsLoaded, createPool, editable, type Pool, poolIndex } from './pools.ts'

const MOST = 8

/** The pool that was chosen last, which is suggested first. */
const last = signal<string | null>(null)

interface PoolBoxProps {
  input?: RefObject<HTMLInputElement | null>
  onPick(pool: Pool): void
  /** Called on Escape; without it, that is for what the box is in. */
  onLeave?(): void
}

/** Returns functions that pick and create a pool. */
function pickingOf(onPick: (pool: Pool) => void) {
  const pick = (pool: Pool) => {
    last.value = pool.id
    onPick(pool)
  }
  const create = async (name: string) => {
    try {
      const { pool, operation } = await createPool(name)
      if (operation) remember(operation)
      pick(pool)
    } catch (error) {
      toast({ text: poolBox().notCreated(problem(error)), kind: 'bad' })
    }
  }
  return { pick, create }
}

/** A box that finds a pool by a few letters of its name, or creates one. */
export function PoolBox({ input, onPick, onLeave }: PoolBoxProps) {
  const words = poolBox()
  const text = useSignal('')
  const { pick, create } = pickingOf(onPick)
  const isNew = arePoolsLoaded.value && tagNamed(poolIndex.value, text.value) === null
  const canCreate = mayCreate() && isNew
  return (
    <div class="combo" data-shares-keys="undo">
      <Icon of={Layers} />
      <Combobox<Match<Pool>>
        label={words.box}
        placeholder={words.placeholder}
        text={text}
        isReady={arePoolsLoaded.value}
        {...(input && { input })}
        match={(typed) => (typed === '' ? latest() : findTags(poolIndex.value, typed, MOST))}
        keyOf={({ tag }) => tag.id}
        show={({ tag, parts }) => (
          <>
            <Marked name={tag.name} parts={parts} />
            <span class="n">{number(tag.file_count)}</span>
          </>
        )}
        onPick={({ tag }) => pick(tag)}
        {...(canCreate && {
          create: { show: (name) => words.make(name), act: (name) => void create(name) },
        })}
        onKey={(event) => {
          if (event.key !== 'Escape' || !onLeave) return false
          event.preventDefault()
          event.stopPropagation()
          onLeave()
          return true
        }}
        opensEmpty
      />
    </div>
  )
}

/** Returns the newest pools to which files may be added, after the one that was chosen last. */
function latest(): Match<Pool>[] {
  const own = editable.value.filter(({ id }) => id === last.value)
  const others = editable.value.filter(({ id }) => id !== last.value)
  return [...own, ...others].slice(0, MOST).map((tag) => ({ tag, parts: [] }))
}

interface AddToPoolProps {
  count: number
  onPick(pool: Pool): void
  onClose(): void
}

/** Asks for the pool that files are added to. */
export function AddToPool({ count, onPick, onClose }: AddToPoolProps) {
  const words = poolBox()
  const input = useRef<HTMLInputElement>(null)
  // At once, so that no key that follows is lost.
  useLayoutEffect(() => input.current!.focus(), [])
  const isEmpty = arePoolsLoaded.value && editable.value.length === 0
  return (
    <Dialog title={words.addTo(count)} class="pooling" onClose={onClose}>
      <PoolBox
        input={input}
        onPick={(pool) => {
          onClose()
          onPick(pool)
        }}
        onLeave={onClose}
      />
      {isEmpty && <p class="muted small">{words.none}</p>}
    </Dialog>
  )
}
