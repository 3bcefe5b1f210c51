import type { Signal } from '@preact/signals'

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
        {(Object.entries(options) as [Value, string][]).map(([name, words]) => (
          <label key={name}>
            <input
              type="radio"
              name={label}
              checked={value.value === name}
              onChange={() => {
                value.value = name
              }}
            />
            <span>{words}</span>
          </label>
        ))}
      </div>
      {hint && <p class="muted small">{hint}</p>}
    </fieldset>
  )
}
