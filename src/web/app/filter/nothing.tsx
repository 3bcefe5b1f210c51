import { SearchX } from 'lucide'
import { api, ask } from '../base/api.ts'
import { number } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { Dot } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { listing } from '../routes.ts'
import { filter } from '../text/filter.ts'
import { leavesOf, type Path, without } from './edit.ts'
import { printFilter } from './print.ts'
import { clear, describe, expression, removeAt, sentence } from './state.ts'

/** How many conditions are offered to be taken out. */
const MOST = 6

/** Says that no file fits, and how many would without each of the conditions. */
export function NothingMatches() {
  const words = filter()
  const leaves = leavesOf(expression.value).slice(0, MOST)
  return (
    <div class="void">
      <Icon of={SearchX} />
      <h2>{words.nothing}</h2>
      <p class="muted">
        {words.nothingWith(sentence.value)} {leaves.length > 1 && words.takeOut}
      </p>
      {leaves.length > 1 && (
        <div class="chips">
          {leaves.map(({ condition, path, negated }) => (
            <Without key={path.join()} path={path} isNegated={negated} {...describe(condition)} />
          ))}
        </div>
      )}
      <button type="button" class="btn" onClick={clear}>
        {words.clear}
      </button>
    </div>
  )
}

interface WithoutProps {
  path: Path
  isNegated: boolean
  words: string
  color?: string | null
}

function Without({ path, isNegated, words, color }: WithoutProps) {
  const found = useResource(async (signal) => {
    const rest = printFilter(without(expression.value, path))
    const query = { ...listing.value, filter: rest, limit: 1 }
    return (await ask(api.GET('/api/v1/files/ids', { params: { query }, signal }))).total
  })
  const said = filter()
  return (
    <button type="button" class="chip" onClick={() => removeAt(path)}>
      {color !== undefined && <Dot color={color} />}
      {isNegated ? said.withIt(words) : said.without(words)}
      {found.data.value !== undefined && <span class="muted num">{number(found.data.value)}</span>}
    </button>
  )
}
