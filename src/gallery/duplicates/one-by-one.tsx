import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import { ChevronLeft, ChevronRight, Ellipsis, Undo2 } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { useKeys } from '../base/keys.ts'
import { session } from '../base/session.ts'
import { Modal } from '../parts/dialog.tsx'
import { Icon, Kbd } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { complainUnlessLost } from '../parts/toast.tsx'
import { common } from '../text/common.ts'
import { duplicates } from '../text/duplicates.ts'
import { preload } from '../viewer/layer.tsx'
import { Bar } from './bar.tsx'
import type { Facts } from './facts.ts'
import { distanceOf, upcoming } from './groups.ts'
import type { Held } from './held.ts'
import { Others } from './others.tsx'
import type { Queue } from './queue.ts'
import { rowsOf } from './rows.ts'
import {
  betterSide,
  type Choices,
  NO_CHOICES,
  otherOf,
  type Pair,
  type Side,
  sizeOf,
} from './sides.ts'
import { type Mode, Stage, type StageControls } from './stage.tsx'
import { Table } from './table.tsx'

interface OneByOneProps {
  queue: Queue
  held: Held
  facts: Facts
  pair: Pair
  onClose(): void
}

/** How many thumbnails of a group have a digit as their key. */
const DIGITS = 9

/** Shows one pair after the other, each decided by a single key. */
export function OneByOne(props: OneByOneProps) {
  return (
    <Modal label={duplicates().title} class="viewer alone" onClose={props.onClose}>
      <Deciding {...props} />
    </Modal>
  )
}

function Deciding({ queue, held, facts, pair, onClose }: OneByOneProps) {
  const group = queue.groups.value![0]!
  const main = useRef<HTMLDivElement>(null)
  const controls = useRef<StageControls | null>(null)
  const mode = useSignal<Mode>('sides')
  const choices = useChoices(pair)
  const blink = useBlink(() => {
    mode.value = 'blink'
  })
  const keep = choices.value.keep ?? betterSide(pair)
  const rows = rowsOf(pair, facts, choices.value, session.value!.user.name)
  const merge = (side: Side) => queue.merge(side, choices.peek())
  const focus = () => main.current!.focus()

  const back = () => {
    if (document.activeElement?.matches('.dups input')) focus()
    else if (mode.peek() !== 'sides') mode.value = 'sides'
    else onClose()
  }
  useDecidingKeys({ queue, held, merge, back, mode, blink, controls })
  useEffect(focus, [])
  usePrefetch(queue, facts, pair)

  return (
    <div class="dups" ref={main} tabIndex={-1}>
      <Bar
        queue={queue}
        bits={distanceOf(group, pair)}
        isOneSmaller={sizeOf(pair.left).width !== sizeOf(pair.right).width}
        mode={mode}
        flip={blink.flip}
        controls={controls}
        onClose={onClose}
      />
      <Stage
        pair={pair}
        keep={keep}
        mode={mode.value}
        shown={blink.shown.value}
        controls={controls}
        choose={(side) => {
          choices.value = { ...choices.peek(), keep: side }
        }}
      >
        {group.files.length > 2 && <Others group={group} pair={pair} choose={queue.choose} />}
      </Stage>
      <Table pair={pair} rows={rows} choices={choices} onChosen={focus} />
      <Acts keep={keep} merge={merge} queue={queue} undo={held.undo} />
    </div>
  )
}

interface DecidingKeys {
  queue: Queue
  held: Held
  merge(side: Side): void
  back(): void
  mode: Signal<Mode>
  blink: Blink
  controls: { current: StageControls | null }
}

function useDecidingKeys({ queue, held, merge, back, mode, blink, controls }: DecidingKeys): void {
  const decided = (act: () => void) => (event: KeyboardEvent) => {
    // A key that is held down decides only once.
    if (!event.repeat) act()
  }
  const digits = Array.from({ length: DIGITS }, (_, place) => [
    String(place + 1),
    () => queue.choose(place),
  ])
  useKeys(
    'duplicates',
    {
      ArrowLeft: decided(() => merge('left')),
      ArrowRight: decided(() => merge('right')),
      k: queue.keepBoth,
      x: queue.trashBoth,
      l: queue.later,
      b: blink.begin,
      d: () => {
        mode.value = mode.peek() === 'difference' ? 'sides' : 'difference'
      },
      z: () => controls.current?.toggle(),
      '+': () => controls.current?.zoom(1.5),
      '-': () => controls.current?.zoom(1 / 1.5),
      'Ctrl+Z': held.undo,
      Escape: back,
      ...Object.fromEntries(digits),
    },
    { isModal: true },
  )
}

/** Loads the pictures and the facts of the pairs that follow. */
function usePrefetch(queue: Queue, facts: Facts, pair: Pair): void {
  useEffect(() => {
    const next = upcoming(queue.groups.peek()!, pair)
    for (const file of next) preload(file)
    const after = queue.groups.peek()![1]
    if (after && after.files.length > 2) {
      for (const file of after.files.slice(0, DIGITS)) preload(file, 'thumbnail')
    }
    facts.want([pair.left, pair.right, ...next]).catch(complainUnlessLost)
  }, [pair, queue.groups.value])
}

function useChoices({ left, right }: Pair) {
  const choices = useSignal<Choices>(NO_CHOICES)
  const key = `${left.id} ${right.id}`
  const of = useRef(key)
  if (of.current !== key) {
    of.current = key
    choices.value = NO_CHOICES
  }
  return choices
}

interface ActsProps {
  /** The side whose picture is marked as the one to keep. */
  keep: Side
  merge(side: Side): void
  queue: Queue
  undo(): void
}

function Acts({ keep, merge, queue, undo }: ActsProps) {
  const words = duplicates()
  const face = (side: Side) => (side === keep ? 'btn primary' : 'btn')
  const others = [
    { text: words.keepBoth, key: 'k', act: queue.keepBoth },
    { text: words.trashBoth, key: 'x', act: queue.trashBoth },
    { text: words.later, key: 'l', act: queue.later },
    { text: common().undo, key: 'Ctrl+Z', act: undo, icon: Undo2 },
  ]
  return (
    <div class="acts">
      <button type="button" class={face('left')} onClick={() => merge('left')}>
        <Icon of={ChevronLeft} />
        <span class="long">{words.keepLeft + words.merge}</span>
        <span class="short">{words.keepUpper}</span>
        <Kbd of="ArrowLeft" />
      </button>
      <div class="mid">
        {others.map(({ text, key, act, icon }) => (
          <button key={key} type="button" class={icon ? 'btn quiet' : 'btn'} onClick={act}>
            {icon && <Icon of={icon} />}
            {text} <Kbd of={key} />
          </button>
        ))}
      </div>
      <Menu label={words.more} class="btn icononly more" items={others}>
        <Icon of={Ellipsis} />
      </Menu>
      <button type="button" class={face('right')} onClick={() => merge('right')}>
        <span class="long">{words.keepRight + words.merge}</span>
        <span class="short">{words.keepLower}</span>
        <Kbd of="ArrowRight" />
        <Icon of={ChevronRight} />
      </button>
    </div>
  )
}

interface Blink {
  shown: ReadonlySignal<Side>
  flip(): void
  /** Shows the other one, and goes on alternating while the key is held. */
  begin(): void
}

/** Milliseconds that a picture is shown while the key is held. */
const PACE = 200

function useBlink(enter: () => void): Blink {
  const shown = useSignal<Side>('left')
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  const flip = () => {
    shown.value = otherOf(shown.peek())
    enter()
  }
  return {
    shown,
    flip,
    begin() {
      stop.current()
      flip()
      const timer = setInterval(flip, PACE)
      const ended = new AbortController()
      stop.current = () => {
        clearInterval(timer)
        ended.abort()
      }
      const { signal } = ended
      addEventListener('keyup', stop.current, { signal })
      addEventListener('blur', stop.current, { signal })
    },
  }
}
