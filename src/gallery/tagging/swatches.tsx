import { useId } from 'preact/hooks'
import { tagging } from '../text/tagging.ts'

interface SwatchesProps {
  /** The chosen colour, without `#`; null for none. */
  chosen: string | null
  none: string
  onChoose(color: string | null): void
}

/** Colours that are distinguishable on light and on dark, without `#`; the language files name them. */
const COLORS = ['c2453f', 'd9822b', 'c9a227', '4a9d5b', '2f9c95', '3b82c4', '8a63b8', 'b8578f']

/** Chooses a colour for a tag or category; a colour from elsewhere is listed as well. */
export function Swatches({ chosen, none, onChoose }: SwatchesProps) {
  const words = tagging()
  const name = useId()
  const isOther = chosen !== null && !COLORS.includes(chosen)
  return (
    <fieldset class="swatches">
      <legend>{words.color}</legend>
      {[...COLORS, ...(isOther ? [chosen] : []), null].map((one, index) => (
        <label key={one} class={one === null ? 'swatch none' : 'swatch'}>
          <input
            type="radio"
            name={name}
            aria-label={one === null ? none : (words.colors[index] ?? words.otherColor)}
            checked={chosen === one}
            onChange={() => onChoose(one)}
          />
          <span style={one === null ? undefined : { '--c': `#${one}` }} />
        </label>
      ))}
    </fieldset>
  )
}
