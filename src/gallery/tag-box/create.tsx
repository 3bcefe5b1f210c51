import { type Signal, useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Kbd } from '../parts/icon.tsx'
import { common } from '../text/common.ts'
import { tagBox } from '../text/tag-box.ts'
import { createTag, type Refusal, refusalOf } from './make.ts'
import { categories, type Tag } from './tags.ts'

interface SwatchesProps {
  /** The chosen colour, without `#`; null for none. */
  chosen: string | null
  none: string
  onChoose(color: string | null): void
}

/** Colours that are distinguishable on light and on dark, without `#`; the language files name them. */
const COLORS = ['c2453f', 'd9822b', 'c9a227', '4a9d5b', '2f9c95', '3b82c4', '8a63b8', 'b8578f']

/** Chooses a colour for a tag or category; a colour from elsewhere is listed as well. */
export function Swatches({ chosen, none, onChoose }: SwatchesProps) {
  const words = tagBox()
  const name = useId()
  const isOther = chosen !== null && !COLORS.includes(chosen)
  return (
    <fieldset class="swatches">
      <legend>{words.color}</legend>
      {[...COLORS, ...(isOther ? [chosen] : []), null].map((one, index) => (
        <label key={one} class={one === null ? 'swatch none' : 'swatch'}>
          <input
            type="radio"
            name={name}
            aria-label={one === null ? none : (words.colors[index] ?? words.otherColor)}
            checked={chosen === one}
            onChange={() => onChoose(one)}
          />
          <span style={one === null ? undefined : { '--c': `#${one}` }} />
        </label>
      ))}
    </fieldset>
  )
}

interface RefusedProps {
  refusal: Refusal | null
  /** Called with the offered name. */
  onUse(name: string): void
}

/** Says why a name was refused, and offers another one, which a single key takes. */
export function Refused({ refusal, onUse }: RefusedProps) {
  const button = useRef<HTMLButtonElement>(null)
  const offer = refusal?.offer ?? null
  useLayoutEffect(() => button.current?.focus(), [offer])
  return (
    <>
      <p class="complaint" role="alert">
        {refusal?.reason}
      </p>
      {offer !== null && (
        <button ref={button} type="button" class="btn use" onClick={() => onUse(offer)}>
          <span>{tagBox().use(offer)}</span> <Kbd of="Enter" />
        </button>
      )}
    </>
  )
}

interface NewTagProps {
  name: string
  onCreated(tag: Tag): void
  onLeave(): void
}

/** A small form that creates a tag, with its colour and category. */
export function NewTag({ name: typed, onCreated, onLeave }: NewTagProps) {
  const words = tagBox()
  const { name, category, color, refusal, create } = useNewTag(typed, onCreated)
  return (
    <form
      class="newtag"
      aria-label={words.create(name.value)}
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onLeave()
      }}
    >
      <label class="field">
        <span>{words.name}</span>
        <input
          class="input"
          type="text"
          maxLength={256}
          value={name}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
            refusal.value = null
          }}
        />
      </label>
      <CategorySelect chosen={category} />
      <Swatches
        chosen={color.value}
        none={words.categoryColor}
        onChoose={(one) => {
          color.value = one
        }}
      />
      <Refused
        refusal={refusal.value}
        onUse={(own) => {
          name.value = own
          void create()
        }}
      />
      <footer>
        <button type="button" class="btn quiet" onClick={onLeave}>
          {common().cancel}
        </button>
        <button type="submit" class="btn primary" disabled={name.value.trim() === ''}>
          {words.make}
        </button>
      </footer>
    </form>
  )
}

function useNewTag(typed: string, onCreated: (tag: Tag) => void) {
  const name = useSignal(typed)
  const category = useSignal('')
  const color = useSignal<string | null>(null)
  const refusal = useSignal<Refusal | null>(null)
  const isSending = useSignal(false)
  const create = async () => {
    if (isSending.peek()) return
    isSending.value = true
    refusal.value = null
    const fields = { name: name.peek(), color: color.peek() }
    try {
      const { data } = await createTag({ ...fields, category_id: category.peek() || null })
      onCreated(data)
    } catch (error) {
      const why = await refusalOf('tag', fields.name, error)
      // It was created elsewhere meanwhile.
      if (why.holder) onCreated(why.holder)
      else refusal.value = why
    } finally {
      isSending.value = false
    }
  }
  return { name, category, color, refusal, create }
}

function CategorySelect({ chosen }: { chosen: Signal<string> }) {
  const words = tagBox()
  const select = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => select.current?.focus(), [])
  return (
    <label class="field">
      <span>{words.category}</span>
      <select
        ref={select}
        class="input"
        value={chosen}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.value
        }}
        onKeyDown={(event) => {
          // In a select, Enter would open its list.
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.form!.requestSubmit()
        }}
      >
        <option value="">{words.noCategory}</option>
        {categories.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
