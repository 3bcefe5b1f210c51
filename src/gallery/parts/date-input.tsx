import type { RefObject } from 'preact'
import type { Precision } from '../base/format.ts'
import { common } from '../text/common.ts'

const PRECISIONS = ['day', 'month', 'year'] as const
const KINDS = {
  moment: { type: 'datetime-local', step: 1 },
  day: { type: 'date' },
  month: { type: 'month', pattern: '\\d{4}-\\d{2}' },
  year: { type: 'number', min: 1, max: 9999 },
} as const

interface DateInputProps {
  /** As an input of its kind has it; a year has four digits. */
  value: string
  precision: Precision
  class?: string
  inputRef?: RefObject<HTMLInputElement | null>
  onValue(value: string): void
  onPrecision(precision: Precision): void
}

/** The fields for a date, and for how much is known of it. */
export function DateInput({ value, precision, onValue, onPrecision, ...props }: DateInputProps) {
  const words = common()
  return (
    <>
      <input
        // Chromium takes no focus from an input whose type has changed.
        key={precision}
        {...KINDS[precision ?? 'moment']}
        class={props.class}
        aria-label={words.date}
        ref={props.inputRef}
        value={precision === 'year' ? value.replace(/^0+/, '') : value}
        onInput={({ currentTarget }) => {
          const year = currentTarget.value.padStart(4, '0')
          onValue(precision === 'year' ? year : currentTarget.value)
        }}
      />
      <select
        class={props.class}
        aria-label={words.known}
        // Safari focuses no list that is clicked.
        onPointerDown={({ currentTarget }) => currentTarget.focus()}
        onChange={({ currentTarget }) => {
          // The input goes, and takes its focus along.
          currentTarget.focus()
          onPrecision(PRECISIONS.find((part) => part === currentTarget.value) ?? null)
        }}
      >
        {(['moment', ...PRECISIONS] as const).map((part) => (
          <option key={part} value={part} selected={part === (precision ?? 'moment')}>
            {words.precisions[part]}
          </option>
        ))}
      </select>
    </>
  )
}
