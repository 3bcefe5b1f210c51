import type { Signal } from '@preact/signals'
import { ChevronLeft, ZoomIn } from 'lucide'
import { number } from '../base/format.ts'
import { Icon, Kbd } from '../parts/icon.tsx'
import { duplicates } from '../text/duplicates.ts'
import type { Queue } from './queue.ts'
import type { Mode, StageControls } from './stage.tsx'

interface BarProps {
  queue: Queue
  /** How far the two files are apart; null if they are linked by others. */
  bits: number | null | undefined
  /** Whether one has fewer pixels than the other. */
  isOneSmaller: boolean
  mode: Signal<Mode>
  flip(): void
  controls: { current: StageControls | null }
  onClose(): void
}

/** The head of the screen: the way back, the place in the queue, and how pictures are compared. */
export function Bar({ queue, bits, isOneSmaller, mode, flip, controls, onClose }: BarProps) {
  const words = duplicates()
  return (
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
        {words.title} <Title queue={queue} bits={bits} isOneSmaller={isOneSmaller} />
      </h1>
      <Modes mode={mode} flip={flip} />
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
  )
}

function Title({ queue, bits, isOneSmaller }: Pick<BarProps, 'queue' | 'bits' | 'isOneSmaller'>) {
  const words = duplicates()
  const place = words.place(number(queue.settled.value + 1), number(queue.total.value))
  return (
    <span class="muted num" role="status">
      {place} <span class="long">{words.groups}</span>
      {bits === null && ` · ${words.byOthers}`}
      {typeof bits === 'number' && (
        <>
          {` · ${words.alike(bits)}`}
          {bits === 0 && isOneSmaller && `, ${words.oneSmaller}`}
        </>
      )}
    </span>
  )
}

/** A click on the active mode makes the pictures blink. */
function Modes({ mode, flip }: { mode: Signal<Mode>; flip(): void }) {
  const words = duplicates()
  const choose = (chosen: Mode) => () => {
    if (chosen === 'blink') flip()
    else mode.value = chosen
  }
  const button = (name: Mode, text: string, key?: string) => (
    <button type="button" aria-pressed={mode.value === name} onClick={choose(name)}>
      {text} {key && <Kbd of={key} />}
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: three buttons are no set of fields
    <div class="seg" role="group" aria-label={words.compare}>
      {button('sides', words.sides)}
      {button('blink', words.blink, 'b')}
      {button('difference', words.difference, 'd')}
    </div>
  )
}
