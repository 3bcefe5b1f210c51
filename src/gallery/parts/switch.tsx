interface ToggleProps {
  /** What it switches, for screen readers, where its words stand elsewhere. */
  label?: string
  isOn: boolean
  isDisabled?: boolean | undefined
  onChange(isOn: boolean): void
}

/** Something that is on or off. */
export function Toggle({ label, isOn, isDisabled, onChange }: ToggleProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      checked={isOn}
      aria-checked={isOn}
      disabled={isDisabled}
      onChange={(event) => {
        const wanted = event.currentTarget.checked
        // What is shown is what is so.
        event.currentTarget.checked = isOn
        onChange(wanted)
      }}
    />
  )
}

interface SwitchProps extends ToggleProps {
  label: string
  hint?: string
}

/** Something that is on or off, with its words before it. */
export function Switch({ label, hint, ...toggle }: SwitchProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the toggle in it
    <label class="line">
      <span class="rest">
        {label}
        {hint && (
          <>
            <br />
            <span class="muted small">{hint}</span>
          </>
        )}
      </span>
      <Toggle {...toggle} />
    </label>
  )
}
