import { useSignal } from '@preact/signals'
import { Plus, X } from 'lucide'
import { Icon } from '../../parts/icon.tsx'
import { Toggle } from '../../parts/switch.tsx'
import { type Rule, rules, type Tag, tagsById } from '../../tagging/index.ts'
import { tagPage } from '../../text/tag-page.ts'
import { NewRule } from './new-rule.tsx'
import { removeRule, switchRule } from './rule-changes.ts'
import { useShared } from './totals.ts'

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
