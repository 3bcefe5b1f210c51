import { type Signal, useSignal } from '@preact/signals'
import {
  CalendarClock,
  Check,
  Download,
  Ellipsis,
  type IconNode,
  Layers,
  Share2,
  Tag,
  Trash2,
  X,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { looksOnly } from '../base/session.ts'
import { selection } from '../grid/index.ts'
import { Icon, Kbd } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { complain } from '../parts/toast.tsx'
import { AddToPool } from '../pool-box/index.ts'
import { Sharing } from '../sharing/index.tsx'
import { Tagging, TagKeys, type Target, useTagger } from '../tag-box/index.ts'
import { bulk } from '../text/bulk.ts'
import { common } from '../text/common.ts'
import { poolBox } from '../text/pool-box.ts'
import { download, putIntoPool, renew, review, trash } from './actions.ts'
import { running } from './run.ts'
import { selectedTarget } from './target.ts'

const datesDialog = async () => (await import('./dates.tsx')).DatesDialog

interface BulkBarProps {
  extra?: ComponentChildren
}

/** The actions for the selected files; nothing without a selection. */
export function BulkBar(props: BulkBarProps) {
  if (selection.count.value === 0) return null
  return looksOnly() ? <LookingBar {...props} /> : <Bar {...props} />
}

function Bar({ extra }: BulkBarProps) {
  const words = bulk()
  const selected = selection.selected.value
  const count = selection.count.value
  const target = useMemo(selectedTarget, [selected, count])
  const isTagging = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const { acts, dialogs } = useActs(target)
  return (
    <section class="select" aria-label={words.bar}>
      <TagPanel
        target={target}
        isOpen={isTagging.value}
        open={() => {
          isTagging.value = true
        }}
        close={() => {
          isTagging.value = false
          button.current?.focus()
        }}
        keys={{ r: acts.review, p: acts.pool, d: acts.date, s: acts.share, Delete: acts.trash }}
      />
      <b class="num" role="status">
        {words.selected(count)}
      </b>
      <Running />
      <button
        ref={button}
        type="button"
        class={isTagging.value ? 'on' : undefined}
        aria-expanded={isTagging.value}
        onClick={() => {
          isTagging.value = !isTagging.value
        }}
      >
        <Face icon={Tag} text={words.tag} of="t" />
      </button>
      <Action icon={Layers} text={poolBox().pool} of="p" isRare act={acts.pool} />
      <Action icon={Share2} text={common().share} of="s" act={acts.share} />
      {extra}
      <Action icon={Check} text={words.reviewed} of="r" act={acts.review} />
      <Action icon={CalendarClock} text={words.dates} of="d" isRare act={acts.date} />
      <Action icon={Download} text={words.download} isRare act={acts.download} />
      <Action icon={Trash2} text={words.trash} of="Delete" act={acts.trash} />
      <More {...acts} />
      <i />
      <Clear />
      <Dialogs target={target} count={count} {...dialogs} />
    </section>
  )
}

/** For those who only look: what they may do with any file, and `extra` where they may do more. */
function LookingBar({ extra }: BulkBarProps) {
  const words = bulk()
  return (
    <section class="select worded" aria-label={words.bar}>
      <b class="num" role="status">
        {words.selected(selection.count.value)}
      </b>
      <Running />
      {extra}
      <Action
        icon={Download}
        text={words.download}
        act={() => void download(selectedTarget()).catch(complain)}
      />
      <i />
      <Clear />
    </section>
  )
}

function Clear() {
  return (
    <button type="button" aria-label={bulk().clear} onClick={() => selection.clear()}>
      <Icon of={X} />
    </button>
  )
}

type Acts = ReturnType<typeof useActs>['acts']

/** Returns the actions for files, and the dialogs that some of them open. */
function useActs(target: Target) {
  const isPooling = useSignal(false)
  const isDating = useSignal(false)
  // The selection when the dialog was opened.
  const shared = useSignal<Target | null>(null)
  const run = (action: (target: Target) => Promise<void>) => () => {
    action(target).catch(complain)
  }
  const acts = {
    pool() {
      isPooling.value = true
    },
    date() {
      isDating.value = true
    },
    share() {
      shared.value = target
    },
    review: run(review),
    download: run(download),
    trash: run(trash),
  }
  return { acts, dialogs: { isPooling, isDating, shared } }
}

/** On phones, opens the rare actions. */
function More({ pool, date, download }: Acts) {
  const words = bulk()
  return (
    <Menu
      label={words.more}
      class="more"
      items={[
        { text: poolBox().add, icon: Layers, act: pool },
        { text: words.dates, icon: CalendarClock, act: date },
        { text: words.download, icon: Download, act: download },
      ]}
    >
      <Icon of={Ellipsis} />
    </Menu>
  )
}

interface DialogsProps {
  target: Target
  count: number
  isPooling: Signal<boolean>
  isDating: Signal<boolean>
  shared: Signal<Target | null>
}

function Dialogs({ target, count, isPooling, isDating, shared }: DialogsProps) {
  return (
    <>
      {isPooling.value && (
        <AddToPool
          count={count}
          onPick={(chosen) => void putIntoPool(target, chosen).catch(complain)}
          onClose={() => {
            isPooling.value = false
          }}
        />
      )}
      {isDating.value && (
        <OnDemand
          load={datesDialog}
          target={target}
          onClose={() => {
            isDating.value = false
          }}
        />
      )}
      {shared.value && (
        <Sharing
          of={{ files: shared.value }}
          onShared={renew}
          onClose={() => {
            shared.value = null
          }}
        />
      )}
    </>
  )
}

interface TagPanelProps {
  target: Target
  isOpen: boolean
  open(): void
  close(): void
  keys: Record<string, () => void>
}

function TagPanel({ target, isOpen, open, close, keys }: TagPanelProps) {
  const tagger = useTagger(target)
  const box = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  // Before the next key: a late update would take the focus back from where Escape has moved it.
  useLayoutEffect(() => {
    if (isOpen) box.current?.focus()
  }, [isOpen])
  const focus = () => {
    open()
    // At once, so that no key that is typed next is lost.
    panel.current!.hidden = false
    box.current?.focus()
  }
  return (
    <>
      <TagKeys tagger={tagger} more={{ ...keys, t: focus }} />
      <div class="above" ref={panel} hidden={!isOpen}>
        <Tagging tagger={tagger} input={box} onLeave={close} isHidden={!isOpen} />
      </div>
    </>
  )
}

interface ActionProps {
  icon: IconNode
  text: string
  of?: string
  /** Shown behind "More" on phones. */
  isRare?: boolean
  act(): void
}

function Action({ act, isRare, ...face }: ActionProps) {
  return (
    <button type="button" class={isRare ? 'rare' : undefined} onClick={act}>
      <Face {...face} />
    </button>
  )
}

function Face({ icon, text, of }: { icon: IconNode; text: string; of?: string }) {
  return (
    <>
      <Icon of={icon} />
      <span class="t">{text}</span>
      {of && <Kbd of={of} />}
    </>
  )
}

/** Shows the progress of a change that takes several requests, with a button that stops it. */
export function Running() {
  const words = bulk()
  if (!running.value) return null
  const { done, count, end } = running.value
  return (
    <span class="progress" role="status">
      <progress max={count} value={done} aria-label={words.progress(number(done), number(count))} />
      <button type="button" onClick={end}>
        {words.end}
      </button>
    </span>
  )
}
