import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Kbd } from '../../parts/kbd.tsx'
import { Toggle } from '../../parts/switch.tsx'
import { rules, type Tag } from '../../tagging/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { makeRule } from './rule-changes.ts'
import { TagPicker } from './tag-picker.tsx'
import { useShared } from './totals.ts'

/** A new rule as a sentence whose second tag is still to be chosen. */
export function NewRule({ tag, onLeave }: { tag: Tag; onLeave(): void }) {
  const words = tagPage()
  const [between, after] = words.also
  const then = useSignal<Tag | null>(null)
  const input = useRef<HTMLInputElement>(null)
  // Null until it is loaded, so that nothing is done unseen.
  const lacking = useSignal<number | null>(null)
  const isApplied = useSignal(true)
  useLayoutEffect(() => input.current!.focus(), [])
  const chosen = then.value
  const isReady = chosen !== null && lacking.value !== null
  const make = () => {
    if (!isReady) return
    onLeave()
    void makeRule(tag, chosen, isApplied.value ? lacking.value! : 0)
  }
  const own = rules.value.filter((rule) => rule.when_tag_id === tag.id)
  const without = new Set([tag.id, ...own.map((rule) => rule.then_tag_id)])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        make()
      }}
    >
      <div class="line">
        <span>
          <b>{tag.name}</b>
          {between}
        </span>
        <TagPicker
          label={words.tagToAdd}
          chosen={then}
          without={without}
          input={input}
          onLeave={onLeave}
        />
        {after}
        <button type="submit" class="btn" disabled={!isReady}>
          {words.makeRule} <Kbd of="Enter" />
        </button>
      </div>
      {chosen && (
        <Then key={chosen.id} tag={tag} then={chosen} lacking={lacking} isApplied={isApplied} />
      )}
    </form>
  )
}

interface ThenProps {
  tag: Tag
  then: Tag
  lacking: { value: number | null }
  isApplied: { value: boolean }
}

function Then({ tag, then, lacking, isApplied }: ThenProps) {
  const words = tagPage()
  const count = useShared(tag.id, then.id).value?.first
  useEffect(() => {
    lacking.value = count ?? null
    return () => {
      lacking.value = null
    }
  }, [count])
  if (count === undefined) return <p class="then muted">…</p>
  if (count === 0) return null
  const said = words.andNow(tag.name, count)
  return (
    <p class="then">
      <Toggle
        label={said}
        isOn={isApplied.value}
        onChange={(isOn) => {
          isApplied.value = isOn
        }}
      />
      {said}
    </p>
  )
}
