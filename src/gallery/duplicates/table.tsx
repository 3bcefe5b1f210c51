import type { Signal } from '@preact/signals'
import { duplicates } from '../text/duplicates.ts'
import { isOfBoth, isPicked, type Row } from './rows.ts'
import type { BothField, Choices, Pair, Side } from './sides.ts'

interface TableProps {
  pair: Pair
  rows: Row[]
  choices: Signal<Choices>
  /** Called after a choice by pointer, so that the arrow keys choose sides again. */
  onChosen(): void
}

/** Shows what differs between two files, and which values the kept one gets. */
export function Table({ pair, rows, choices, onChosen }: TableProps) {
  const words = duplicates()
  const toggle = (of: BothField) => {
    const now = choices.peek()
    const ownOnly = new Set(now.ownOnly)
    if (!ownOnly.delete(of)) ownOnly.add(of)
    choices.value = { ...now, ownOnly }
  }
  const cell = (row: Row, side: Side) => (
    <Value row={row} side={side} pair={pair} choices={choices} onChosen={onChosen} />
  )
  return (
    <div class="diff">
      <table aria-label={words.table}>
        <tbody>
          {rows.map((row) => (
            <tr key={row.of ?? row.name}>
              {cell(row, 'left')}
              <th scope="row">
                {isOfBoth(row.of) ? (
                  <Both row={row} isBoth={!choices.value.ownOnly.has(row.of)} toggle={toggle} />
                ) : (
                  row.name
                )}
              </th>
              {cell(row, 'right')}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ValueProps extends Omit<TableProps, 'rows'> {
  row: Row
  side: Side
}

/** Shows a side's value; a radio button where only one of two can be chosen. */
function Value({ row, side, pair, choices, onChosen }: ValueProps) {
  const isOn = isPicked(row, side, pair, choices.value)
  const text = row[side]
  if (row.of === null || isOfBoth(row.of)) {
    return (
      <td class={isOn ? 'pick' : 'lose'}>
        <span>{text}</span>
      </td>
    )
  }
  return (
    <td class={isOn ? 'pick' : 'lose'}>
      <label>
        <input
          type="radio"
          name={row.of}
          checked={isOn}
          onChange={() => choose(choices, row, side)}
          onClick={({ detail }) => detail > 0 && onChosen()}
        />
        <span class="hidden">{duplicates()[side]}: </span>
        {text}
      </label>
    </td>
  )
}

function choose(choices: Signal<Choices>, { of }: Row, side: Side): void {
  const { keep, sides, ownOnly } = choices.peek()
  if (of === 'picture') choices.value = { keep: side, sides, ownOnly }
  else if (of !== null && !isOfBoth(of)) {
    choices.value = { ...(keep && { keep }), sides: { ...sides, [of]: side }, ownOnly }
  }
}

function Both({ row, isBoth, toggle }: { row: Row; isBoth: boolean; toggle(of: BothField): void }) {
  const words = duplicates()
  return (
    <button type="button" onClick={() => toggle(row.of as BothField)}>
      {isBoth ? words.both(row.name) : words.ownOnly(row.name)}
    </button>
  )
}
