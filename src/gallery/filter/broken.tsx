import type { Parsed } from '../../files/find/parse.ts'
import { filter } from '../text/filter.ts'
import { sentenceOf } from './sentence.ts'
import { describe } from './state.ts'

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
