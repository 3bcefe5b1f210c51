import { useEffect } from 'preact/hooks'
import { Chip } from '../../parts/chip.tsx'
import { prepareTags } from '../../tag-box/index.ts'
import { smart } from '../../text/smart.ts'
import { readFilter } from '../edit.ts'
import { saidParts } from '../state.ts'

/** Says a filter that isn't that of the address; nothing can be changed there. */
export function FilterWords({ filter: text }: { filter: string }) {
  useEffect(prepareTags, [])
  const { expression = null } = readFilter(text)
  if (!expression) return <>{smart().everything}</>
  return saidParts(expression).map(({ part, words, color, isNegated }, index) =>
    part.kind === 'chip' ? (
      <Chip
        key={index}
        {...(color !== undefined && { color })}
        {...(isNegated && { class: 'not' })}
      >
        {words}
      </Chip>
    ) : (
      <span key={index} class="op">
        {words}
      </span>
    ),
  )
}
