import { useEffect, useRef } from 'preact/hooks'
import type { Parsed } from '../../files/find/parse.ts'
import { Chip } from '../parts/chip.tsx'
import { Menu } from '../parts/menu.tsx'
import { listing } from '../routes.ts'
import { filter } from '../text/filter.ts'
import { type Part, sentenceOf } from './edit.ts'
import { describe, expression, parsed, rangeWords, removeAt, show, turnAt } from './state.ts'

interface BrokenProps {
  text: string
  parsed: Parsed
}

const AROUND = 24

/** Shows the text of a filter with the place of its error marked, or what it means. */
export function Broken({ text, parsed }: BrokenProps) {
  const words = filter()
  if (parsed.expression !== undefined) {
    const said = sentenceOf(parsed.expression).map((part) => {
      if (part.kind === 'chip') return describe(part.condition).words
      return part.kind === 'word' ? words.words[part.word] : part.text
    })
    return <>{said.length > 0 ? words.heading(said.join(' ')) : words.filterTextHint}</>
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
export function Chips({ showText }: { showText(): void }) {
  const words = filter()
  const { search, from, to, filter: text = '' } = listing.value
  const range = from || to ? rangeWords(listing.value) : null
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
      {sentenceOf(expression.value).map((part, index) => (
        <SentencePart key={index} part={part} showText={showText} />
      ))}
      {search && (
        <Chip removeLabel={words.remove(search)} onRemove={() => show({ search: '' })}>
          {words.named(search)}
        </Chip>
      )}
      {range && (
        <Chip removeLabel={words.remove(range)} onRemove={() => show({ from: '', to: '' })}>
          {range}
        </Chip>
      )}
    </span>
  )
}

function SentencePart({ part, showText }: { part: Part; showText(): void }) {
  const words = filter()
  if (part.kind === 'word') return <span class="op">{words.words[part.word]}</span>
  if (part.kind === 'bracket') return <span class="op">{part.text}</span>
  const { condition, negated, path } = part
  const said = describe(condition)
  const turn = negated ? words.affirm(said.words) : words.negate(said.words)
  return (
    <Chip
      {...(said.color !== undefined && { color: said.color })}
      {...(negated && { class: 'not' })}
      removeLabel={words.remove(said.words)}
      onRemove={() => removeAt(path)}
    >
      <Menu
        class="words"
        items={[
          { text: turn, act: () => turnAt(path) },
          { text: words.takeAway, act: () => removeAt(path) },
          { text: words.filterText, isApart: true, act: showText },
        ]}
      >
        {said.words}
      </Menu>
    </Chip>
  )
}
