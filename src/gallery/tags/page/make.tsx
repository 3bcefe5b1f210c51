import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { locale } from '../../base/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { go } from '../../routes.ts'
import { categories, type Refusal, Refused, refusalOf, Swatches } from '../../tag-box/index.ts'
import { common } from '../../text/common.ts'
import { tagPage } from '../../text/tag-page.ts'
import { inOrder } from '../sections.ts'
import { makeCategory, makeTag } from './changes.ts'
import { hrefOfOpen, making } from './state.ts'

type What = 'tag' | 'category'

/** Asks for the data of a new tag or category, creates it and opens it. */
export function Make({ what }: { what: What }) {
  const words = tagPage()
  const { name, category, color, refusal, create } = useCreation(what)
  const first = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => first.current!.focus(), [])
  return (
    <Dialog
      title={what === 'tag' ? words.newTag : words.newCategory}
      onClose={leave}
      onSubmit={() => void create()}
      footer={
        <>
          <button type="button" class="btn" onClick={leave}>
            {common().cancel}
          </button>
          <button type="submit" class="btn primary" disabled={name.value.trim() === ''}>
            {words.make}
          </button>
        </>
      }
    >
      <label class="field">
        <span>{words.name}</span>
        <input
          ref={first}
          class="input"
          type="text"
          autocomplete="off"
          maxLength={256}
          value={name}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
            refusal.value = null
          }}
        />
      </label>
      {what === 'tag' && <CategorySelect chosen={category} />}
      <Swatches
        chosen={color.value}
        none={what === 'tag' ? words.ofCategory : words.noColor}
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
    </Dialog>
  )
}

function leave(): void {
  making.value = null
}

/** Returns the data of a new tag or category, and a function that creates and opens it. */
function useCreation(what: What) {
  const name = useSignal('')
  const category = useSignal('')
  const color = useSignal<string | null>(null)
  const refusal = useSignal<Refusal | null>(null)
  const isSending = useSignal(false)
  const create = async () => {
    if (isSending.peek() || name.peek().trim() === '') return
    isSending.value = true
    const fields = { name: name.peek(), color: color.peek() }
    try {
      const id =
        what === 'tag'
          ? await makeTag({ ...fields, category_id: category.peek() || null })
          : await makeCategory(fields)
      leave()
      go(hrefOfOpen(id))
    } catch (error) {
      refusal.value = await refusalOf(what, fields.name, error)
      isSending.value = false
    }
  }
  return { name, category, color, refusal, create }
}

function CategorySelect({ chosen }: { chosen: Signal<string> }) {
  const words = tagPage()
  return (
    <label class="field">
      <span>{words.category}</span>
      <select
        class="input"
        value={chosen}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.value
        }}
      >
        <option value="">{words.noCategory}</option>
        {inOrder(categories.value, locale.value).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
