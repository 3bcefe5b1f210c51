import { useEffect, useRef } from 'preact/hooks'
import type { Parsed } from '../../files/find/parse.ts'
import { Chip } from '../parts/chip.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { listing } from '../routes.ts'
import { filter } from '../text/filter.ts'
import { isOrAt } from './edit.ts'
import {
  describe,
  expression,
  parsed,
  range,
  rejoinAt,
  removeAt,
  type SaidPart,
  saidParts,
  sentenceFor,
  show,
  turnAt,
} from './state.ts'

interface BrokenProps {
  text: string
  parsed: Parsed
}

const AROUND = 24

/** Shows the text of a filter with the place of its error marked, or what it means. */
export function Broken({ text, parsed }: BrokenProps) {
  const words = filter()
  if (parsed.expression !== undefined) {
    const said = sentenceFor(parsed.expression)
    return <>{said ? words.heading(said) : words.filterTextHint}</>
  }
  const { problem, start, end } = parsed.broken
  const before = text.slice(0, start)
  const after = text.slice(end)
  return (
    <span class="broken-text">
      <code>
        {before.length > AROUND ? `…${before.slice(-AROUND)}` : before}
        <mark>{text.slice(start, end) || '\u00a0'}</mark>
        {after.length > AROUND ? `${after.slice(0, AROUND)}…` : after}
      </code>{' '}
      {words.problems[problem]}
    </span>
  )
}

/** Shows what the address limits the listing to, as a sentence. */
export function Chips() {
  const words = filter()
  const { search, filter: text = '' } = listing.value
  const sentence = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // The chip added last is visible even where there is too little room for all.
    sentence.current!.scrollLeft = sentence.current!.scrollWidth
  }, [listing.value])
  return (
    <span class="sentence" ref={sentence}>
      {parsed.value.broken && (
        <Chip class="broken" removeLabel={words.clear} onRemove={() => show({ filter: '' })}>
          <Broken text={text} parsed={parsed.value} />
        </Chip>
      )}
      {saidParts(expression.value).map((said, index) => (
        <SentencePart key={index} {...said} />
      ))}
      {search && (
        <Chip removeLabel={words.remove(search)} onRemove={() => show({ search: '' })}>
          {words.named(search)}
        </Chip>
      )}
      {range.value && (
        <Chip removeLabel={words.remove(range.value)} onRemove={() => show({ from: '', to: '' })}>
          {range.value}
        </Chip>
      )}
    </span>
  )
}

function SentencePart({ part, words: said, color, isNegated }: SaidPart) {
  const words = filter()
  if (part.kind !== 'chip') return <span class="op">{said}</span>
  const { negated, path } = part
  const isOr = isOrAt(expression.value!, path)
  const { words: plain } = describe(part.condition)
  const ways: MenuItem[] = [
    { text: words.affirm(plain), isChosen: !negated, act: () => negated && turnAt(path) },
    { text: words.negate(plain), isChosen: negated, act: () => !negated && turnAt(path) },
  ]
  if (isOr !== null) {
    const joint = isOr ? words.joinAnd(said) : words.joinOr(said)
    ways.push({ text: joint, act: () => rejoinAt(path) })
  }
  return (
    <Chip
      {...(color !== undefined && { color })}
      {...(isNegated && { class: 'not' })}
      removeLabel={words.remove(said)}
      onRemove={() => removeAt(path)}
    >
      <Menu
        class="words"
        opensByLongPress
        items={[...ways, { text: words.takeAway, isApart: true, act: () => removeAt(path) }]}
      >
        {said}
      </Menu>
    </Chip>
  )
}
