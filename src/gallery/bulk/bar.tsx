import { type Signal, useSignal } from '@preact/signals'
import {
  CalendarClock,
  Check,
  Download,
  Ellipsis,
  Heart,
  type IconNode,
  Layers,
  Play,
  RotateCcw,
  RotateCw,
  Share2,
  Tag,
  Trash2,
  X,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { useKeys } from '../base/keys.ts'
import { looksOnly } from '../base/session.ts'
import { selection } from '../grid/index.ts'
import { Icon, Kbd } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { complain } from '../parts/toast.tsx'
import { AddToPool, mayPool } from '../pool-box/index.ts'
import { Sharing } from '../sharing/index.tsx'
import { playFiles } from '../slideshow/index.ts'
import { Tagging, TagKeys, type Target, useTagger } from '../tag-box/index.ts'
import { bulk } from '../text/bulk.ts'
import { common } from '../text/common.ts'
import { poolBox } from '../text/pool-box.ts'
import { download, heart, putIntoPool, renew, review, trash, turn } from './actions.ts'
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
        keys={{
          f: acts.heart,
          r: acts.review,
          p: acts.pool,
          d: acts.date,
          '[': acts.turnLeft,
          ']': acts.turnRight,
          s: acts.share,
          Delete: acts.trash,
        }}
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
      <Action icon={Heart} text={words.favourite} of="f" isRare act={acts.heart} />
      <Action icon={Layers} text={poolBox().pool} of="p" isRare act={acts.pool} />
      <Action icon={Share2} text={common().share} of="s" act={acts.share} />
      {extra}
      <Action icon={Check} text={words.reviewed} of="r" act={acts.review} />
      <Action icon={CalendarClock} text={words.dates} of="d" isRare act={acts.date} />
      <Action icon={RotateCw} text={words.turn} of="]" isRare act={acts.turnRight} />
      <Action icon={Play} text={words.slideshow} isRare act={acts.play} />
      <Menu class="rare" items={downloads(acts)}>
        <Face icon={Download} text={words.download} />
      </Menu>
      <Action icon={Trash2} text={words.trash} of="Delete" act={acts.trash} />
      <More {...acts} />
      <i />
      <Clear />
      <Dialogs target={target} {...dialogs} />
    </section>
  )
}

/** For those who only look: what they may do with any file, and `extra` where they may do more. */
function LookingBar({ extra }: BulkBarProps) {
  const words = bulk()
  const like = () => void heart(selectedTarget()).catch(complain)
  useKeys('bulk', { f: like })
  const isPooling = useSignal(false)
  const open = () => {
    isPooling.value = true
  }
  return (
    <section class="select worded" aria-label={words.bar}>
      <b class="num" role="status">
        {words.selected(selection.count.value)}
      </b>
      <Running />
      {mayPool() && <Action icon={Layers} text={poolBox().pool} act={open} />}
      {extra}
      <Action icon={Heart} text={words.favourite} act={like} />
      <Action
        icon={Download}
        text={words.download}
        act={() => void download(selectedTarget()).catch(complain)}
      />
      <i />
      <Clear />
      <Pooling target={selectedTarget()} isOpen={isPooling} />
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
    play() {
      playFiles(async () => (await target.ids()).ids)
    },
    heart: run(heart),
    review: run(review),
    turnLeft: run((files) => turn(files, 270)),
    turnRight: run((files) => turn(files, 90)),
    download: run(download),
    downloadWithSidecars: run((files) => download(files, true)),
    trash: run(trash),
  }
  return { acts, dialogs: { isPooling, isDating, shared } }
}

function downloads({ download, downloadWithSidecars }: Acts): MenuItem[] {
  const words = bulk()
  return [
    { text: words.download, icon: Download, act: download },
    { text: words.withSidecars, icon: Download, act: downloadWithSidecars },
  ]
}

/** On phones, opens the rare actions. */
function More(acts: Acts) {
  const words = bulk()
  return (
    <Menu
      label={words.more}
      class="more"
      items={[
        { text: words.favourite, icon: Heart, act: acts.heart },
        { text: poolBox().add, icon: Layers, act: acts.pool },
        { text: words.dates, icon: CalendarClock, act: acts.date },
        { text: words.turnLeft, icon: RotateCcw, act: acts.turnLeft },
        { text: words.turnRight, icon: RotateCw, act: acts.turnRight },
        { text: words.slideshow, icon: Play, act: acts.play },
        ...downloads(acts),
      ]}
    >
      <Icon of={Ellipsis} />
    </Menu>
  )
}

function Pooling({ target, isOpen }: { target: Target; isOpen: Signal<boolean> }) {
  if (!isOpen.value) return null
  return (
    <AddToPool
      count={target.count}
      onPick={(chosen) => void putIntoPool(target, chosen).catch(complain)}
      onClose={() => {
        isOpen.value = false
      }}
    />
  )
}

interface DialogsProps {
  target: Target
  isPooling: Signal<boolean>
  isDating: Signal<boolean>
  shared: Signal<Target | null>
}

function Dialogs({ target, isPooling, isDating, shared }: DialogsProps) {
  return (
    <>
      <Pooling target={target} isOpen={isPooling} />
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
