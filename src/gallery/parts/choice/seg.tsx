interface OptionsProps<Value extends string> {
  /** Tells them from others in the document. */
  label: string
  value: Value
  /** The words of each value, in the order in which they stand. */
  options: Partial<Record<Value, string>>
  onChange(value: Value): void
}

/** The values of which one is chosen, side by side. */
export function Options<Value extends string>(props: OptionsProps<Value>) {
  const { label, value, options, onChange } = props
  return (Object.entries(options) as [Value, string][]).map(([name, words]) => (
    <label key={name}>
      <input type="radio" name={label} checked={value === name} onChange={() => onChange(name)} />
      <span>{words}</span>
    </label>
  ))
}

/** One of a few, of which each can be read. */
export function Seg<Value extends string>(props: OptionsProps<Value>) {
  return (
    <fieldset class="seg">
      <legend class="hidden">{props.label}</legend>
      <Options {...props} />
    </fieldset>
  )
}
