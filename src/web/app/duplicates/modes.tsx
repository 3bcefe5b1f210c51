import type { Signal } from '@preact/signals'
import { Kbd } from '../parts/kbd.tsx'
import { duplicates } from '../text/duplicates.ts'
import type { Mode } from './stage.tsx'

/** How two pictures are compared; clicked once more, they blink. */
export function Modes({ mode, flip }: { mode: Signal<Mode>; flip(): void }) {
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
