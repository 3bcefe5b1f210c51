import { type Signal, useComputed, useSignal } from '@preact/signals'
import { moment } from '../base/format.ts'
import { precisionOf } from '../base/listing.ts'
import { files } from '../grid/index.ts'
import { Dialog } from '../parts/dialog.tsx'
import { complain } from '../parts/toast.tsx'
import type { Target } from '../tag-box/index.ts'
import { bulk } from '../text/bulk.ts'
import { common } from '../text/common.ts'
import { changeDates } from './actions.ts'
import { instantOf, minutesOf, type Shift } from './zones.ts'

/** Asks by how much the dates of files are shifted, or for a date for all of them. */
export function DatesDialog({ target, onClose }: { target: Target; onClose(): void }) {
  const words = bulk()
  const isShift = useSignal(true)
  const shift = useSignal({ days: 0, hours: 0, minutes: 0, isEarlier: false })
  const date = useSignal('')
  const minutes = useComputed(() => minutesOf(shift.value))
  const instant = useComputed(() => instantOf(date.value))
  const isReady = isShift.value ? minutes.value !== 0 : instant.value !== null

  const submit = () => {
    if (!isReady) return
    onClose()
    const dates = isShift.value
      ? { shift_minutes: minutes.value }
      : { set: { content_datetime: instant.value!, date_precision: null } }
    changeDates(target, dates).catch(complain)
  }
  const first = useFirstDate(target)
  const exampleOf = (before: number) => {
    const after = isShift.value ? before + minutes.value * 60 : Date.parse(instant.value!) / 1000
    return words.example(moment(before), moment(after))
  }
  const example = first === null || !isReady ? null : exampleOf(first)

  return (
    <Dialog
      title={words.dateTitle(target.count)}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <button type="button" class="btn quiet" onClick={onClose}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={!isReady}>
            {words.change(target.count)}
          </button>
        </>
      }
    >
      <Radio label={words.shift} isChosen={isShift.value} choose={() => (isShift.value = true)} />
      <ShiftFields shift={shift} isHidden={!isShift.value} />
      <Radio label={words.set} isChosen={!isShift.value} choose={() => (isShift.value = false)} />
      <label class="field" hidden={isShift.value}>
        <span>{words.date}</span>
        <input
          class="input"
          type="datetime-local"
          value={date}
          onInput={({ currentTarget }) => {
            date.value = currentTarget.value
          }}
        />
      </label>
      <p class="muted small num" role="status">
        {example}
      </p>
    </Dialog>
  )
}

/** Returns the date of the first file, in seconds since 1970; null until it is known, and if it is known in part. */
function useFirstDate(target: Target): number | null {
  const first = useSignal<number | null>(null)
  if (first.value === null) {
    void target.ids().then(({ ids }) => {
      const position = files.positionOf(ids[0]!)
      const cell = position === null ? null : files.peek(position)
      // Of a date known in part, no clock is shifted.
      first.value = cell && precisionOf(cell) === null ? cell.t : null
    }, complain)
  }
  return first.value
}

interface ShiftFieldsProps {
  shift: Signal<Shift>
  isHidden: boolean
}

function ShiftFields({ shift, isHidden }: ShiftFieldsProps) {
  const words = bulk()
  return (
    <div class="shift" hidden={isHidden}>
      {(['days', 'hours', 'minutes'] as const).map((unit) => (
        <label class="field" key={unit}>
          <span>{words[unit]}</span>
          <input
            class="input num"
            type="number"
            min="0"
            value={shift.value[unit]}
            onInput={({ currentTarget }) => {
              shift.value = { ...shift.value, [unit]: currentTarget.valueAsNumber }
            }}
          />
        </label>
      ))}
      <label class="field">
        <span class="hidden">{words.shift}</span>
        <select
          class="input"
          value={shift.value.isEarlier ? 'earlier' : 'later'}
          onChange={({ currentTarget }) => {
            shift.value = { ...shift.value, isEarlier: currentTarget.value === 'earlier' }
          }}
        >
          <option value="later">{words.later}</option>
          <option value="earlier">{words.earlier}</option>
        </select>
      </label>
    </div>
  )
}

function Radio(props: { label: string; isChosen: boolean; choose(): void }) {
  return (
    <label class="line">
      <input type="radio" name="how" checked={props.isChosen} onChange={props.choose} />
      <span>{props.label}</span>
    </label>
  )
}
