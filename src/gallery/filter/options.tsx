import { Search } from 'lucide'
import { number } from '../base/format.ts'
import { Dot } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { areFilesCounted, filesOf, Marked } from '../tag-box/index.ts'
import { filter } from '../text/filter.ts'
import { withSteps } from './edit.ts'
import { addSteps, saidParts, show } from './state.ts'
import type { Line } from './words/index.ts'

/** Carries out the meaning of a line. */
export function apply({ search, steps }: Line): void {
  if (search !== undefined) show({ search })
  else addSteps(steps)
}

/** Shows a line of the list under the box: the chips that will be set, or the name that is searched for. */
export function LineContent({ search, steps, match, code }: Line) {
  const words = filter()
  if (search !== undefined) {
    return (
      <>
        <Icon of={Search} />
        <span>{words.searchFor(search)}</span>
      </>
    )
  }
  const parts = saidParts(withSteps(null, steps))
  const isAlone = parts.filter(({ part }) => part.kind === 'chip').length === 1
  return (
    <>
      {steps[0]?.or && <span class="op">{words.words.or}</span>}
      {parts.map(({ part, words: said, color, isNegated }, index) => {
        if (part.kind !== 'chip')
          return (
            <span key={index} class="op">
              {said}
            </span>
          )
        return (
          <span key={index} class={isAlone ? 'said' : isNegated ? 'chip not' : 'chip'}>
            {color !== undefined && <Dot color={color} />}
            {match ? <Marked name={said} parts={match.parts} /> : <span>{said}</span>}
          </span>
        )
      })}
      {match && areFilesCounted.value && <span class="n">{number(filesOf(match.tag.id))}</span>}
      {code && <code class="n">{code}</code>}
    </>
  )
}
