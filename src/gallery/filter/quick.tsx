import { CircleDot, Clock, type IconNode } from 'lucide'
import type { Listing } from '../base/listing.ts'
import { looksOnly } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import { hrefOf, listing, screen } from '../routes.ts'
import { filter } from '../text/filter.ts'
import { printFilter } from './edit.ts'
import { CONDITIONS } from './state.ts'

const NOT_REVIEWED = printFilter({ kind: 'condition', condition: CONDITIONS.new })
const ALL = { filter: '', search: '', from: '', to: '' }

interface Quick {
  name: 'recent' | 'new'
  icon: IconNode
  listing: Partial<Listing>
}

const QUICK: Quick[] = [
  { name: 'recent', icon: Clock, listing: { ...ALL, sort: 'created', order: 'desc' } },
  {
    name: 'new',
    icon: CircleDot,
    listing: { ...ALL, sort: 'content_datetime', filter: NOT_REVIEWED },
  },
]

/** Links to the listings of the newest files and of those that nobody has reviewed. */
export function QuickListings() {
  return (
    <nav class="nav quick" aria-label={filter().quickListings}>
      {QUICK.filter(({ name }) => name !== 'new' || !looksOnly()).map((one) => (
        <a
          key={one.name}
          href={hrefOf({ path: '/', listing: one.listing, at: null })}
          aria-current={isShown(one.listing) ? 'page' : undefined}
        >
          <Icon of={one.icon} />
          {filter().quick[one.name]}
        </a>
      ))}
    </nav>
  )
}

function isShown(wanted: Partial<Listing>): boolean {
  const names = Object.keys(wanted) as (keyof Listing)[]
  const shown = listing.value
  return (
    screen.value === 'photos' && names.every((name) => (shown[name] ?? '') === (wanted[name] ?? ''))
  )
}
