import { type Signal, useComputed, useSignal } from '@preact/signals'
import { known, moment, type Precision } from '../base/format.ts'
import { precisionOf } from '../base/listing.ts'
import { files } from '../grid/index.ts'
import { DateInput } from '../parts/date-input.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { complain } from '../parts/toast.tsx'
import type { Target } from '../tag-box/index.ts'
import { bulk } from '../text/bulk.ts'
import { common } from '../text/common.ts'
import { inputOf, precisionIn, timeOf } from '../viewer/facts.ts'
import { changeDates } from './actions.ts'
import { minutesOf, type Shift } from './zones.ts'

/** The clock of each file shows it, whatever its zone. */
const UTC = { content_offset: null }

/** Asks by how much the dates of files are shifted, or for a date for all of them. */
export function DatesDialog({ target, onClose }: { target: Target; onClose(): void }) {
  const words = bulk()
  const isShift = useSignal(true)
  const shift = useSignal({ days: 0, hours: 0, minutes: 0, isEarlier: false })
  const date = useSignal('')
  const precision = useSignal<Precision>(null)
  const minutes = useComputed(() => minutesOf(shift.value))
  const instant = useComputed(() =>
    precisionIn(date.value) === precision.value ? timeOf(date.value, UTC) : null,
  )
  const isReady = isShift.value ? minutes.value !== 0 : instant.value !== null

  const submit = () => {
    if (!isReady) return
    onClose()
    const dates = isShift.value
      ? { shift_minutes: minutes.value }
      : { set: { content_datetime: instant.value!, date_precision: precision.value } }
    changeDates(target, dates).catch(complain)
  }
  const first = useFirstDate(target)
  const exampleOf = ({ t, known: part }: FirstDate) => {
    if (!isShift.value) {
      const after = known(Date.parse(instant.value!) / 1000, precision.value)
      return words.example(known(t, part), after)
    }
    // Of a date known in part, no clock is shifted.
    return part === null ? words.example(moment(t), moment(t + minutes.value * 60)) : null
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
      <div class="set" hidden={isShift.value}>
        <DateInput
          class="input"
          value={date.value}
          precision={precision.value}
          onValue={(value) => {
            date.value = value
          }}
          onPrecision={(part) => {
            const time = instant.value
            date.value = time
              ? inputOf({ ...UTC, content_datetime: time, date_precision: part })
              : ''
            precision.value = part
          }}
        />
      </div>
      <p class="muted small num" role="status">
        {example}
      </p>
    </Dialog>
  )
}

/** Seconds of the local clock, and how much is known of them. */
interface FirstDate {
  t: number
  known: Precision
}

/** Returns the date of the first file; null until it is loaded. */
function useFirstDate(target: Target): FirstDate | null {
  const first = useSignal<FirstDate | null>(null)
  if (first.value === null) {
    void target.ids().then(({ ids }) => {
      const position = files.positionOf(ids[0]!)
      const cell = position === null ? null : files.peek(position)
      first.value = cell && { t: cell.t, known: precisionOf(cell) }
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
