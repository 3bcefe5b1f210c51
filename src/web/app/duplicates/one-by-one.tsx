import { useSignal } from '@preact/signals'
import { ChevronLeft, ZoomIn } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { useKeys } from '../base/keys/keys.ts'
import { session } from '../base/session.ts'
import { Modal } from '../parts/dialog/modal.tsx'
import { Icon } from '../parts/icon.tsx'
import { complainUnlessLost } from '../parts/toast.tsx'
import { duplicates } from '../text/duplicates.ts'
import { preload } from '../viewer/preload.ts'
import { Acts } from './acts.tsx'
import { useBlink } from './blink.ts'
import type { Facts } from './facts.ts'
import { distanceOf, upcoming } from './groups.ts'
import type { Held } from './held.ts'
import { Modes } from './modes.tsx'
import { Others } from './others.tsx'
import type { Queue } from './queue.ts'
import { rowsOf } from './rows.ts'
import { betterSide, type Choices, NO_CHOICES, type Pair, type Side } from './sides.ts'
import { type Mode, Stage, type StageControls } from './stage.tsx'
import { Table } from './table.tsx'

interface OneByOneProps {
  queue: Queue
  held: Held
  facts: Facts
  /** What is looked at. */
  pair: Pair
  onClose(): void
}

/** How many thumbnails of a group have a digit. */
const DIGITS = 9

/** One pair after the other, to be decided by one key each. */
export function OneByOne(props: OneByOneProps) {
  return (
    <Modal label={duplicates().title} class="viewer alone" onClose={props.onClose}>
      <Deciding {...props} />
    </Modal>
  )
}

function Deciding({ queue, held, facts, pair, onClose }: OneByOneProps) {
  const words = duplicates()
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

  /** From the table to the pictures, from one picture to both, and out. */
  const back = () => {
    if (document.activeElement?.matches('.dups input')) focus()
    else if (mode.peek() !== 'sides') mode.value = 'sides'
    else onClose()
  }
  const decided = (act: () => void) => (event: KeyboardEvent) => {
    // An arrow that is held decides once.
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
  useEffect(focus, [])
  useEffect(() => {
    const next = upcoming(queue.groups.peek()!, pair)
    for (const file of next) preload(file)
    const after = queue.groups.peek()![1]
    if (after && after.files.length > 2) {
      for (const file of after.files.slice(0, DIGITS)) preload(file, 'thumbnail')
    }
    facts.want([pair.left, pair.right, ...next]).catch(complainUnlessLost)
  }, [pair, queue.groups.value])

  return (
    <div class="dups" ref={main} tabIndex={-1}>
      <div class="bar">
        <button
          type="button"
          class="btn icononly quiet wide"
          aria-label={words.back}
          title={words.back}
          onClick={onClose}
        >
          <Icon of={ChevronLeft} />
        </button>
        <h1 class="rest">
          {words.title} <Title queue={queue} bits={distanceOf(group, pair)} />
        </h1>
        <Modes mode={mode} flip={blink.flip} />
        <button
          type="button"
          class="btn icononly wide"
          aria-label={words.actualSize}
          title={words.actualSize}
          onClick={() => controls.current?.toggle()}
        >
          <Icon of={ZoomIn} />
        </button>
      </div>
      <Stage
        pair={pair}
        keep={keep}
        mode={mode.value}
        shown={blink.shown.value}
        controls={controls}
      >
        {group.files.length > 2 && <Others group={group} pair={pair} choose={queue.choose} />}
      </Stage>
      <Table pair={pair} rows={rows} choices={choices} onChosen={focus} />
      <Acts keep={keep} merge={merge} queue={queue} undo={held.undo} />
    </div>
  )
}

function Title({ queue, bits }: { queue: Queue; bits: number | null | undefined }) {
  const words = duplicates()
  const place = words.place(number(queue.settled.value + 1), number(queue.total.value))
  return (
    <span class="muted num" role="status">
      {place} <span class="long">{words.groups}</span>
      {bits === null && ` · ${words.byOthers}`}
      {typeof bits === 'number' && (
        <>
          {` · ${words.alike(bits)} `}
          <span class="long">{words.bits(bits)}</span>
        </>
      )}
    </span>
  )
}

/** What is chosen for a pair; nothing of the next one. */
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
