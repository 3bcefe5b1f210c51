import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { number } from '../../base/format.ts'
import { Dot } from '../../parts/chip.tsx'
import { Combobox } from '../../parts/combobox.tsx'
import {
  areFilesCounted,
  colorOf,
  filesOf,
  findTags,
  Marked,
  prepareTags,
  type Tag,
  tagIndex,
} from '../../tag-box/index.ts'

interface TagPickerProps {
  label: string
  /** The chosen tag; null while another name is typed. */
  chosen: Signal<Tag | null>
  without: ReadonlySet<string>
  input?: { current: HTMLInputElement | null }
  /** Called on Escape, while no list is open. */
  onLeave?(): void
}

const MOST = 6

/** A text box that chooses one tag, whose name stays in it. */
export function TagPicker({ label, chosen, without, input, onLeave }: TagPickerProps) {
  const text = useSignal(chosen.peek()?.name ?? '')
  useSignalEffect(() => {
    const typed = text.value
    if (chosen.peek()?.name !== typed) chosen.value = null
  })
  // Finds additional tags, because some may be left out.
  const match = (typed: string) =>
    findTags(tagIndex.value, typed, MOST + without.size)
      .filter(({ tag }) => !without.has(tag.id))
      .slice(0, MOST)
  return (
    <div class="input rest">
      <Combobox
        label={label}
        placeholder={label}
        text={text}
        {...(input && { input })}
        prepare={prepareTags}
        match={(typed) => (chosen.value ? [] : match(typed))}
        keyOf={({ tag }) => tag.id}
        show={({ tag, parts }) => (
          <>
            <Dot color={colorOf(tag)} />
            <Marked name={tag.name} parts={parts} />
            {areFilesCounted.value && <span class="n">{number(filesOf(tag.id))}</span>}
          </>
        )}
        onPick={({ tag }) => {
          chosen.value = tag
          text.value = tag.name
        }}
        onKey={(event) => {
          const isOver = text.value === '' || chosen.value !== null
          if (!onLeave || event.key !== 'Escape' || !isOver) return false
          event.preventDefault()
          event.stopPropagation()
          onLeave()
          return true
        }}
      />
    </div>
  )
}
