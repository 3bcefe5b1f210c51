import type { Signal } from '@preact/signals'

interface OptionsProps<Value extends string> {
  /** Also the name of the radio group, unique in the document. */
  label: string
  value: Value
  /** The label of each value, in the order shown. */
  options: Partial<Record<Value, string>>
  onChange(value: Value): void
}

/** Shows values side by side, one of which is chosen. */
function Options<Value extends string>(props: OptionsProps<Value>) {
  const { label, value, options, onChange } = props
  return (Object.entries(options) as [Value, string][]).map(([name, words]) => (
    <label key={name}>
      <input type="radio" name={label} checked={value === name} onChange={() => onChange(name)} />
      <span>{words}</span>
    </label>
  ))
}

/** Chooses one of a few values whose labels are readable text. */
export function Seg<Value extends string>(props: OptionsProps<Value>) {
  return (
    <fieldset class="seg">
      <legend class="hidden">{props.label}</legend>
      <Options {...props} />
    </fieldset>
  )
}

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
