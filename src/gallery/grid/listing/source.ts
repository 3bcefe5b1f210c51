import { signal } from '@preact/signals'
import { api, ask } from '../../base/api.ts'
import type { Listing } from '../../base/listing.ts'
import { noteFilms } from '../../base/pairs.ts'
import { stacks } from '../../base/preferences.ts'
import { timeIn } from '../days.ts'
import type { Bucket } from '../engine.ts'
import type { CellQuery, Source } from './blocks.ts'
import type { CellPage } from './columns.ts'

export interface Timeline {
  total: number
  /** Null for sorts without months. */
  buckets: Bucket[] | null
  /** Where blocks begin, if that is known without months. */
  spans?: Bucket[]
}

export interface IdPage {
  ids: string[]
  next_cursor: string | null
  total: number
}

/** The server's answers about a listing. Everything throws an ApiError. */
export interface ListingSource extends Source {
  timeline(): Promise<Timeline>
  /** The position of a file, if all are known; -1 if it is not among them. */
  positionOf?(id: string): number
  ids(query: { cursor?: string; limit: number }): Promise<IdPage>
}

/** Returns whether a listing is sorted by a time, so that it has days and months. */
export function hasDays({ sort }: Pick<Listing, 'sort'>): boolean {
  return sort === 'content_datetime' || sort === 'created'
}

function isStacked({ sort, pool, trash }: Listing): boolean {
  return stacks.peek() === 'on' && sort === 'content_datetime' && !pool && !trash
}

type Refine = (listing: Listing, usual: ListingSource) => ListingSource

/** Wraps the sources of listings for the screen of pools; null until that is loaded. */
export const refine = signal<Refine | null>(null)

export function sourceOf(listing: Listing): ListingSource {
  const { sort } = listing
  const ids: ListingSource['ids'] = async (own) => {
    const query = { ...listing, ...own, pairs: '1' } as const
    const page = await ask(api.GET('/api/v1/files/ids', { params: { query } }))
    noteFilms(page.ids, page.films)
    return page
  }
  const usual: ListingSource = {
    async timeline() {
      if (sort !== 'content_datetime' && sort !== 'created') {
        return { total: (await ids({ limit: 1 })).total, buckets: null }
      }
      const query = { ...listing, sort, pairs: '1' } as const
      return await ask(api.GET('/api/v1/files/timeline', { params: { query } }))
    },
    async cells(own: CellQuery): Promise<CellPage> {
      const series = isStacked(listing) ? '1' : '0'
      const places = sort === 'content_datetime' ? '1' : '0'
      const query = { ...listing, ...own, hashes: '1', pairs: '1', series, places } as const
      const page = await ask(api.GET('/api/v1/files/cells', { params: { query } }))
      noteFilms(page.ids, page.c)
      const t = page.t.map((time, at) => timeIn(time, page.f[at]!))
      const near = page.p?.map((at) => (at === null ? null : page.places![at]!))
      return { ...page, t, near, h: page.h ?? page.ids.map(() => null) }
    },
    ids,
  }
  return refine.peek()?.(listing, usual) ?? usual
}
