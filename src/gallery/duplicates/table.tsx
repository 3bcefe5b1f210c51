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
  const choose = (row: Row, side: Side) => {
    const { of } = row
    const { keep, sides, ownOnly } = choices.peek()
    if (of === 'picture') choices.value = { keep: side, sides, ownOnly }
    else if (of !== null && !isOfBoth(of)) {
      choices.value = { ...(keep && { keep }), sides: { ...sides, [of]: side }, ownOnly }
    }
  }
  const toggle = (of: BothField) => {
    const now = choices.peek()
    const ownOnly = new Set(now.ownOnly)
    if (!ownOnly.delete(of)) ownOnly.add(of)
    choices.value = { ...now, ownOnly }
  }
  const cell = (row: Row, side: Side) => {
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
            onChange={() => choose(row, side)}
            onClick={({ detail }) => detail > 0 && onChosen()}
          />
          <span class="hidden">{words[side]}: </span>
          {text}
        </label>
      </td>
    )
  }
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

function Both({ row, isBoth, toggle }: { row: Row; isBoth: boolean; toggle(of: BothField): void }) {
  const words = duplicates()
  return (
    <button type="button" onClick={() => toggle(row.of as BothField)}>
      {isBoth ? words.both(row.name) : words.ownOnly(row.name)}
    </button>
  )
}
