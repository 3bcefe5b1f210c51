import { useComputed, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { number } from '../../base/format.ts'
import { useResource } from '../../base/resource.ts'
import { settled } from '../../base/settled.ts'
import { files } from '../../grid/index.ts'
import { Dot } from '../../parts/chip.tsx'
import { CloseButton } from '../../parts/close-button.tsx'
import { Modal } from '../../parts/dialog.tsx'
import { Grip } from '../../parts/grip.tsx'
import { Unread } from '../../parts/instead.tsx'
import { tags } from '../../tag-box/index.ts'
import { common } from '../../text/common.ts'
import { facets } from '../../text/facets.ts'
import { printFilter } from '../edit.ts'
import { clear, describe, isFiltered, show } from '../state.ts'
import { conditionOf, readGroup, tapped, withGroup } from './groups.ts'
import { conditions, listingOf, type Section, sections, type Value } from './values.ts'
import { When } from './when.tsx'

/** How many values of a section are shown before one asks for all. */
const SHOWN = 8

/** The values that photos have, to be chosen: a column beside the grid or, on phones, a sheet. */
export function Panel({ onClose }: { onClose(): void }) {
  const words = facets()
  const isPhone = useRef(matchMedia('(max-width: 760px)').matches).current
  const Frame = isPhone ? Sheet : Column
  const total = files.total.value
  return (
    <Frame onClose={onClose}>
      <header>
        <h2>{words.title}</h2>
        {isFiltered.value && (
          <button type="button" class="btn quiet" onClick={clear}>
            {words.clear}
          </button>
        )}
        <CloseButton onClose={onClose} />
      </header>
      <p class="muted small">{words.hint}</p>
      <When />
      <Sections />
      {isPhone && (
        <footer>
          <button type="button" class="btn primary" onClick={onClose}>
            {total === null ? common().close : words.show(total)}
          </button>
        </footer>
      )}
    </Frame>
  )
}

interface FrameProps {
  onClose(): void
  children: ComponentChildren
}

function Sheet({ onClose, children }: FrameProps) {
  return (
    <Modal label={facets().title} class="sheet facets" onClose={onClose}>
      <Grip label={common().close} act={onClose} />
      {children}
    </Modal>
  )
}

function Column({ onClose, children }: FrameProps) {
  const column = useRef<HTMLElement>(null)
  useLayoutEffect(() => column.current!.focus(), [])
  return (
    <section
      ref={column}
      class="facets column"
      aria-label={facets().title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      {children}
    </section>
  )
}

function Sections() {
  const all = useComputed(sections)
  const counted = useSignal<Record<string, Value[]>>({})
  const { error, reload } = useResource(async (signal) => {
    // Without their names, tags that are counted aren't shown.
    void [tags.value, settled.value]
    const asked = all.value.map((section) => ({ ...section, listing: listingOf(section) }))
    // One after the other: each is a question to the server's only reader of overviews.
    for (const { key, values, listing } of asked) {
      const found = await values(listing, signal)
      counted.value = { ...counted.peek(), [key]: inOrder(counted.peek()[key], found) }
    }
  })
  return (
    <>
      <Unread error={error.value} retry={() => void reload()} />
      {all.value.map((section) => (
        <Values key={section.key} section={section} values={counted.value[section.key] ?? []} />
      ))}
    </>
  )
}

/** Leaves known values in their places, where a finger expects them. */
function inOrder(known: Value[] | undefined, found: Value[]): Value[] {
  if (!known) return found
  const byToken = new Map(found.map((value) => [value.token, value]))
  const stay = known.map((value) => byToken.get(value.token) ?? { ...value, count: 0 })
  const tokens = new Set(known.map(({ token }) => token))
  return [...stay, ...found.filter(({ token }) => !tokens.has(token))]
}

function Values({ section, values }: { section: Section; values: Value[] }) {
  const words = facets()
  const areAll = useSignal(false)
  const { asked } = readGroup(conditions.value, section)
  const known = new Set(values.map(({ token }) => token))
  const others = [...asked.keys()].filter((token) => !known.has(token))
  const all = [...values, ...others.map((token) => ({ token, name: wordsOf(token), count: 0 }))]
  if (all.length === 0) return null
  const shown = all.filter(({ token }, n) => areAll.value || n < SHOWN || asked.has(token))
  return (
    <fieldset>
      <legend>{section.title}</legend>
      <div class="chips">
        {shown.map(({ token, name, count, color }: Value) => {
          const how = asked.get(token)
          return (
            <button
              key={token}
              type="button"
              class={how === 'not' ? 'chip not' : 'chip'}
              aria-pressed={how !== undefined}
              onClick={() => {
                const next = tapped(section, asked, token)
                show({ filter: printFilter(withGroup(conditions.peek(), section, next)) })
              }}
            >
              {color !== undefined && <Dot color={color} />}
              <span>{how === 'not' ? words.not(name) : name}</span>{' '}
              <span class="n">{number(count)}</span>
            </button>
          )
        })}
        {shown.length < all.length && (
          <button
            type="button"
            class="linky"
            onClick={() => {
              areAll.value = true
            }}
          >
            {words.all(all.length)}
          </button>
        )}
      </div>
    </fieldset>
  )
}

function wordsOf(token: string): string {
  const asked = conditionOf(token)
  return asked.kind === 'condition' ? describe(asked.condition).words : token
}
