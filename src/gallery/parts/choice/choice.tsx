import type { Signal } from '@preact/signals'
import { Options } from './seg.tsx'

interface ChoiceProps<Value extends string> {
  label: string
  hint?: string
  value: Signal<Value>
  options: Record<Value, string>
}

/** Chooses one of a few values, with one click or the arrow keys. */
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
