interface ToggleProps {
  /** Names it for screen readers, if its label is elsewhere. */
  label?: string
  isOn: boolean
  isDisabled?: boolean | undefined
  onChange(isOn: boolean): void
}

/** A switch without a label. */
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
        // The switch always shows the actual state.
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

/** A switch with its label before it. */
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
