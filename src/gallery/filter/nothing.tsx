import { SearchX } from 'lucide'
import { api, ask } from '../base/api.ts'
import { number } from '../base/format.ts'
import { type Listing, readListing, writeListing } from '../base/listing.ts'
import { useResource } from '../base/resource.ts'
import { files } from '../grid/index.ts'
import { Dot } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { listing } from '../routes.ts'
import { filter } from '../text/filter.ts'
import { nothing } from '../text/nothing.ts'
import { leavesOf, printFilter, without } from './edit.ts'
import { clear, describe, expression, sentence, show } from './state.ts'

const MOST = 6

interface Part {
  key: string
  label: string
  color?: string | null
  rest: Partial<Listing>
}

/** Says that no file matches, and how many would without each of the conditions; or that it is broken. */
export function NothingMatches() {
  return files.error.value ? <BrokenFilter /> : <NoMatch />
}

function BrokenFilter() {
  const words = nothing()
  return (
    <div class="void">
      <Icon of={SearchX} />
      <h2>{words.broken}</h2>
      <button type="button" class="btn" onClick={clear}>
        {words.clearIt}
      </button>
    </div>
  )
}

function NoMatch() {
  const words = nothing()
  const parts = partsOf(listing.value).slice(0, MOST)
  return (
    <div class="void">
      <Icon of={SearchX} />
      <h2>{words.nothing}</h2>
      <p class="muted">
        {words.nothingWith(sentence.value)} {parts.length > 1 && words.takeOut}
      </p>
      {parts.length > 1 && (
        <div class="chips">
          {parts.map(({ key, ...part }) => (
            <Without key={key} {...part} />
          ))}
        </div>
      )}
      <button type="button" class="btn" onClick={clear}>
        {filter().clear}
      </button>
    </div>
  )
}

function partsOf({ search, from, to }: Listing): Part[] {
  const said = nothing()
  const parts = leavesOf(expression.value).map(({ condition, path, negated }): Part => {
    const { words, color } = describe(condition)
    const rest = { filter: printFilter(without(expression.value, path)) }
    const label = negated ? said.withIt(words) : said.without(words)
    return { key: path.join(), label, ...(color !== undefined && { color }), rest }
  })
  if (search) parts.push({ key: 'name', label: said.anyName, rest: { search: '' } })
  if (from || to) parts.push({ key: 'dates', label: said.anyTime, rest: { from: '', to: '' } })
  return parts
}

function Without({ label, color, rest }: Omit<Part, 'key'>) {
  const found = useResource(async (signal) => {
    const others = readListing(writeListing({ ...listing.value, ...rest }))
    const query = { ...others, limit: 1, pairs: '1' } as const
    return (await ask(api.GET('/api/v1/files/ids', { params: { query }, signal }))).total
  })
  return (
    <button type="button" class="chip" onClick={() => show(rest)}>
      {color !== undefined && <Dot color={color} />}
      {label}
      {found.data.value !== undefined && <span class="muted num">{number(found.data.value)}</span>}
    </button>
  )
}
