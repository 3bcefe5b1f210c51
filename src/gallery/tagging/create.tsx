import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { api, ask } from '../base/api.ts'
import { common } from '../text/common.ts'
import { problem } from '../text/problem.ts'
import { tagging } from '../text/tagging.ts'
import { Swatches } from './swatches.tsx'
import { addTag, categories, type Tag } from './tags.ts'

interface NewTagProps {
  name: string
  onMade(tag: Tag): void
  onLeave(): void
}

/** A small form that creates a tag, with its colour and category. */
export function NewTag({ name: typed, onMade, onLeave }: NewTagProps) {
  const words = tagging()
  const name = useSignal(typed)
  const category = useSignal('')
  const color = useSignal<string | null>(null)
  const reason = useSignal<string | null>(null)
  const isSending = useSignal(false)
  const first = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])

  const make = async () => {
    if (isSending.peek()) return
    isSending.value = true
    reason.value = null
    const category_id = category.peek() || null
    const body = { name: name.peek(), color: color.peek(), category_id, is_public: false }
    try {
      const tag = await ask(api.POST('/api/v1/tags', { body }))
      addTag(tag)
      onMade(tag)
    } catch (error) {
      reason.value = problem(error)
    } finally {
      isSending.value = false
    }
  }

  return (
    <form
      class="newtag"
      aria-label={words.create(name.value)}
      onSubmit={(event) => {
        event.preventDefault()
        void make()
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
          }}
        />
      </label>
      <label class="field">
        <span>{words.category}</span>
        <select
          ref={first}
          class="input"
          value={category}
          onChange={({ currentTarget }) => {
            category.value = currentTarget.value
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
      <Swatches
        chosen={color.value}
        none={words.categoryColor}
        onChoose={(one) => {
          color.value = one
        }}
      />
      {reason.value && (
        <p class="bad" role="alert">
          {reason.value}
        </p>
      )}
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
