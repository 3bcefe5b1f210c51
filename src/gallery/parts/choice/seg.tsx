interface OptionsProps<Value extends string> {
  /** Also the name of the radio group, unique in the document. */
  label: string
  value: Value
  /** The label of each value, in the order shown. */
  options: Partial<Record<Value, string>>
  onChange(value: Value): void
}

/** Shows values side by side, one of which is chosen. */
export function Options<Value extends string>(props: OptionsProps<Value>) {
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
