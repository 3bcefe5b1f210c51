import type { Signal } from '@preact/signals'

/** A field that finds what is listed by name; `typed` has what is in it. */
export function FindField({ label, typed }: { label: string; typed: Signal<string> }) {
  return (
    <input
      class="input"
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value
      }}
    />
  )
}
