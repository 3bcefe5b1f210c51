import { CalendarDays, Search } from 'lucide'
import { number } from '../base/format.ts'
import { language } from '../base/text.ts'
import { Dot } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { areFilesCounted, colorOf, filesOf, Marked, type Tag, tagIndex } from '../tag-box/index.ts'
import { filter } from '../text/filter.ts'
import type { Joint } from './edit.ts'
import { addCondition, describe, keywords, rangeWords, show } from './state.ts'
import { type Meaning, meaningsOf, splitJoint, withSign } from './suggest.ts'

/** A line of the list under the box. */
export interface Line {
  key: string
  meaning: Meaning<Tag>
  joint: Joint
}

/** Returns the possible meanings of a text in the bar, the likeliest first. */
export function linesOf(typed: string): Line[] {
  const lines = linesFrom(typed)
  const signed = withSign(typed, filter().joints)
  if (signed === null) return lines
  // A tag or a file may have such a name.
  const isNamed = ({ meaning }: Line) => meaning.kind === 'search'
  return [...lines.filter((line) => !isNamed(line)), ...linesFrom(signed), ...lines.filter(isNamed)]
}

function linesFrom(typed: string): Line[] {
  const { or, negated } = splitJoint(typed)
  const sign = `${or ? '|' : ''}${negated ? '-' : ''}`
  const meanings = meaningsOf(typed, tagIndex.value, keywords.value, language.value)
  return meanings.map((meaning) => ({
    key: sign + keyOf(meaning),
    meaning,
    joint: { or, negated },
  }))
}

function keyOf(meaning: Meaning<Tag>): string {
  if (meaning.kind === 'tag') return meaning.tag.id
  return meaning.kind === 'keyword' ? meaning.word : meaning.kind
}

/** Carries out the meaning of a line. */
export function apply({ meaning, joint }: Line): void {
  if (meaning.kind === 'search') show({ search: meaning.text })
  else if (meaning.kind === 'range') show({ from: '', to: '', ...meaning.range })
  else if (meaning.kind === 'keyword') addCondition(meaning.condition, joint)
  else addCondition({ kind: 'tag', id: meaning.tag.id }, joint)
}

export function LineContent({ meaning, joint: { or, negated } }: Line) {
  const { words } = filter()
  const word = or ? (negated ? words['or not'] : words.or) : negated && words.not
  return (
    <>
      {word && <span class="op">{word}</span>}
      <MeaningContent meaning={meaning} />
    </>
  )
}

function MeaningContent({ meaning }: Pick<Line, 'meaning'>) {
  const { options } = filter()
  switch (meaning.kind) {
    case 'tag':
      return (
        <>
          <Dot color={colorOf(meaning.tag)} />
          <Marked name={meaning.tag.name} parts={meaning.parts} />
          {areFilesCounted.value && <span class="n">{number(filesOf(meaning.tag.id))}</span>}
        </>
      )
    case 'keyword':
      return (
        <>
          <span>{describe(meaning.condition).words}</span>
          <code class="n">{meaning.word}</code>
        </>
      )
    case 'range':
      return (
        <>
          <Icon of={CalendarDays} />
          <span>{options.range(rangeWords(meaning.range))}</span>
        </>
      )
    case 'search':
      return (
        <>
          <Icon of={Search} />
          <span>{options.search(meaning.text)}</span>
        </>
      )
  }
}
