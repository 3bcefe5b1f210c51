import type { Signal } from '@preact/signals'
import { Options } from './seg.tsx'

interface ChoiceProps<Value extends string> {
  label: string
  hint?: string
  value: Signal<Value>
  /** The words of each value, in the order in which they stand. */
  options: Record<Value, string>
}

/** One of a few, chosen with one click or the arrow keys. */
export function Choice<Value extends string>({ label, hint, value, options }: ChoiceProps<Value>) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="seg">
        <Options
          label={label}
          value={value.value}
          options={options}
          onChange={(chosen) => {
            value.value = chosen
          }}
        />
      </div>
      {hint && <p class="muted small">{hint}</p>}
    </fieldset>
  )
}
