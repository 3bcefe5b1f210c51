import { useSignal } from '@preact/signals'
import { Plus, X } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { api } from '../../base/api.ts'
import { ApiError } from '../../base/error.ts'
import { remember } from '../../base/undo/undo.ts'
import { Icon, Kbd } from '../../parts/icon.tsx'
import { Toggle } from '../../parts/switch.tsx'
import { toast } from '../../parts/toast.tsx'
import {
  correctCounts,
  type Rule,
  rules,
  showRules,
  type Tag,
  tagsById,
} from '../../tag-box/index.ts'
import { problem } from '../../text/problem.ts'
import { tagPage } from '../../text/tag-page.ts'
import { change } from './changes.ts'
import { useShared } from './state.ts'
import { TagPicker } from './tag-picker.tsx'

const isSame = (a: Rule) => (b: Rule) =>
  a.when_tag_id === b.when_tag_id && a.then_tag_id === b.then_tag_id

const subjectOf = (rule: Rule) => `${rule.when_tag_id} ${rule.then_tag_id}`

/** Shows a rule in place of the old one, or in addition; null removes it. */
function showRule(rule: Rule, next: Rule | null): void {
  showRules((all) => {
    const at = all.findIndex(isSame(rule))
    if (at < 0) return next ? [...all, next] : all
    return next ? all.with(at, next) : all.toSpliced(at, 1)
  })
}

function whyNot(error: unknown): string {
  const isConflict = error instanceof ApiError && error.code === 'conflict'
  return isConflict ? tagPage().tooMany : problem(error)
}

/**
 * Creates a rule, and adds the tag to the `lacking` files without it; 0 applies the rule to later files
 * only.
 */
async function makeRule(when: Tag, then: Tag, lacking: number): Promise<void> {
  const words = tagPage()
  const rule: Rule = {
    when_tag_id: when.id,
    then_tag_id: then.id,
    then_tag_name: then.name,
    is_active: true,
  }
  const sentence = words.ruleNamed(when.name, then.name)
  showRule(rule, rule)
  const params = { path: { tag_id: when.id } }
  const body = { then_tag_id: then.id, is_active: true, apply_to_existing: lacking > 0 }
  const done = await change({
    subject: subjectOf(rule),
    call: () => api.POST('/api/v1/tags/{tag_id}/rules', { params, body }),
    back: () => showRule(rule, null),
    failed: (error) => words.notChanged(when.name, whyNot(error)),
  })
  if (!done) return
  correctCounts([then.id], lacking)
  const text = lacking > 0 ? words.ruleApplied(then.name, lacking) : words.ruleMade(sentence)
  toast({ text, operation: done.operation })
}

interface Switched {
  isOn: boolean
  /** How many files lack the second tag, and are to get it. */
  lacking?: number
}

async function switchRule(rule: Rule, { isOn, lacking = 0 }: Switched): Promise<void> {
  const words = tagPage()
  showRule(rule, { ...rule, is_active: isOn })
  const { when_tag_id: tag_id, then_tag_id } = rule
  const body = { is_active: isOn, apply_to_existing: lacking > 0 }
  const done = await change({
    subject: subjectOf(rule),
    call: () =>
      api.PATCH('/api/v1/tags/{tag_id}/rules/{then_tag_id}', {
        params: { path: { tag_id, then_tag_id } },
        body,
      }),
    back: () => showRule(rule, rule),
    failed: (error) => words.notChanged(rule.then_tag_name, whyNot(error)),
  })
  if (!done) return
  correctCounts([then_tag_id], lacking)
  if (lacking > 0) {
    const text = words.ruleApplied(rule.then_tag_name, lacking)
    toast({ text, operation: done.operation })
  } else if (done.operation !== null) remember(done.operation)
}

/** Deletes a rule; files keep their tags. */
async function removeRule(rule: Rule, sentence: string): Promise<void> {
  const words = tagPage()
  showRule(rule, null)
  const { when_tag_id: tag_id, then_tag_id } = rule
  const done = await change({
    subject: subjectOf(rule),
    call: () =>
      api.DELETE('/api/v1/tags/{tag_id}/rules/{then_tag_id}', {
        params: { path: { tag_id, then_tag_id } },
      }),
    back: () => showRule(rule, rule),
    failed: (error) => words.notChanged(rule.then_tag_name, problem(error)),
  })
  if (done) toast({ text: words.ruleDeleted(sentence), operation: done.operation })
}

/** Shows the rules that name a tag, and a form for a new one. */
export function Rules({ tag }: { tag: Tag }) {
  const words = tagPage()
  const isMaking = useSignal(false)
  const setMaking = (is: boolean) => {
    isMaking.value = is
  }
  const own = rules.value.filter(
    (rule) => rule.when_tag_id === tag.id || rule.then_tag_id === tag.id,
  )
  return (
    <div>
      <h3 class="label">{words.rules}</h3>
      <ul class="rules">
        {own.map((rule) => (
          <RuleLine key={`${rule.when_tag_id} ${rule.then_tag_id}`} rule={rule} />
        ))}
        <li>
          {isMaking.value ? (
            <NewRule tag={tag} onLeave={() => setMaking(false)} />
          ) : (
            <button type="button" class="line link" onClick={() => setMaking(true)}>
              <Icon of={Plus} />
              {words.newRule}
            </button>
          )}
        </li>
      </ul>
    </div>
  )
}

function RuleLine({ rule }: { rule: Rule }) {
  const words = tagPage()
  const shared = useShared(rule.when_tag_id, rule.then_tag_id)
  const when = tagsById.value.get(rule.when_tag_id)
  const then = tagsById.value.get(rule.then_tag_id)
  if (!when || !then) return null
  const sentence = words.ruleNamed(when.name, then.name)
  const { both, first } = shared.value ?? {}
  return (
    <li class="line">
      <span class="rest said">
        <span>
          <Sentence when={when.name} then={then.name} />
        </span>
        {both !== undefined && (
          <span class="n">{(rule.is_active ? words.haveIt : words.offBoth)(both)}</span>
        )}
      </span>
      {rule.is_active && first !== undefined && first > 0 && (
        <button
          type="button"
          class="link small"
          onClick={() => void switchRule(rule, { isOn: true, lacking: first })}
        >
          {words.addToRest(first)}
        </button>
      )}
      {!rule.is_active && (
        <button
          type="button"
          class="btn quiet icononly"
          aria-label={words.deleteRule(sentence)}
          title={words.deleteRule(sentence)}
          onClick={() => void removeRule(rule, sentence)}
        >
          <Icon of={X} />
        </button>
      )}
      <Toggle
        label={sentence}
        isOn={rule.is_active}
        onChange={(isOn) => void switchRule(rule, { isOn })}
      />
    </li>
  )
}

function Sentence({ when, then }: { when: string; then: string }) {
  const [between, after] = tagPage().also
  return (
    <>
      <b>{when}</b>
      {between}
      <b>{then}</b>
      {after}
    </>
  )
}

/** A new rule as a sentence whose second tag is still to be chosen. */
function NewRule({ tag, onLeave }: { tag: Tag; onLeave(): void }) {
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
