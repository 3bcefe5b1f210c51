import { computed } from '@preact/signals'
import { PEOPLE } from '../../../base/enums.ts'
import { parseFilter } from '../../../files/find/parse.ts'
import { api, ask } from '../../base/api.ts'
import { bytes } from '../../base/format.ts'
import type { Listing } from '../../base/listing.ts'
import { locale } from '../../base/text.ts'
import { listing } from '../../routes.ts'
import {
  type Category,
  categories,
  colorOf,
  filesOf,
  type Tag,
  tags,
  tagsById,
} from '../../tag-box/index.ts'
import { facets } from '../../text/facets.ts'
import { filterToCount, type Group, narrowed } from './groups.ts'

/** A token of the filter language in words, and how many photos it would show. */
export interface Value {
  token: string
  name: string
  count: number
  color?: string | null
}

/** A part of the panel. */
export interface Section extends Group {
  key: string
  title: string
  /** Returns the values under a listing, in the order shown. */
  values(listing: Listing, signal: AbortSignal): Promise<Value[]>
}

/** The filter of the address, with each bound of its days as a condition of its own; null for none and a broken one. */
export const conditions = computed(() => parseFilter(listing.value.filter ?? '').expression ?? null)

/** Returns the listing under which the values of a group are counted. */
export function listingOf(group: Group): Listing {
  return { ...listing.value, filter: filterToCount(conditions.value, group) }
}

type Facet = 'camera' | 'town' | 'type' | 'creator' | 'size' | 'shape' | 'review'

/** Returns the parts of the panel below the dates. */
export function sections(): Section[] {
  const { sections: titles } = facets()
  const people = categoryOfPeople()
  const isOfPeople = (tag?: Tag) => people !== undefined && tag?.category_id === people.id
  const ofTags = (key: string, title: string, isShown: (tag?: Tag) => boolean): Section => ({
    ...{ key, title, match: 'all' },
    tokens: {
      test: (token) => TAG.test(token) && isShown(tagsById.value.get(token.slice('t='.length))),
    },
    values: (listing, signal) => countTags(listing, isShown, signal),
  })
  const ofFacet = (key: keyof typeof titles & Facet, tokens: RegExp, match: Group['match']) => ({
    ...{ key, title: titles[key], tokens, match },
    values: (listing: Listing, signal: AbortSignal) => countFacet(key, listing, signal),
  })
  return [
    {
      ...{ key: 'where', title: titles.where, tokens: /^[lg]/, match: 'any' },
      values: async (listing, signal) => [
        ...(await countFacet('town', listing, signal)),
        ...(await countEach(['g=1', 'g=0'], listing, signal)),
      ],
    },
    ...(people ? [ofTags('people', people.name, isOfPeople)] : []),
    ofTags('tags', titles.tags, (tag) => !isOfPeople(tag)),
    ofFacet('camera', /^k/, 'any'),
    {
      ...{ key: 'kind', title: titles.kind, tokens: /^m|^x=(raw|animated)$/, match: 'any' },
      values: countKinds,
    },
    {
      ...{ key: 'shape', title: titles.shape, tokens: SHAPES, match: 'any' },
      values: async (listing, signal) =>
        (await countFacet('shape', listing, signal)).filter(({ token }) => SHAPES.test(token)),
    },
    {
      ...ofFacet('size', /^b/, 'one'),
      values: async (listing, signal) =>
        (await countFacet('size', listing, signal)).sort((a, b) => boundOf(a) - boundOf(b)),
    },
    ofFacet('creator', /^u/, 'any'),
    ofFacet('review', /^r/, 'one'),
    {
      ...{ key: 'favourite', title: titles.favourite, tokens: /^f/, match: 'one' },
      values: (listing, signal) => countEach(['f=1'], listing, signal),
    },
  ]
}

const TAG = /^t=(?!0{8})/
const SHAPES = /^x=(portrait|landscape)$/

/** The category that is named like people or, without one, whose tags are on the most photos. */
function categoryOfPeople(): Category | undefined {
  const all = categories.value
  const files = (id: string) =>
    tags.value.reduce((sum, tag) => sum + (tag.category_id === id ? filesOf(tag.id) : 0), 0)
  const named = all.find(({ name }) => PEOPLE.test(name))
  return named ?? [...all].sort((a, b) => files(b.id) - files(a.id))[0]
}

async function countTags(
  listing: Listing,
  isShown: (tag: Tag) => boolean,
  signal: AbortSignal,
): Promise<Value[]> {
  const query = counted(listing)
  const { counts } = await ask(api.GET('/api/v1/tags/counts', { params: { query }, signal }))
  return tags.value
    .flatMap((tag) => {
      const count = counts[tag.id] ?? 0
      return count > 0 && isShown(tag)
        ? [{ token: `t=${tag.id}`, name: tag.name, count, color: colorOf(tag) }]
        : []
    })
    .sort((a, b) => b.count - a.count)
}

async function countFacet(of: Facet, listing: Listing, signal: AbortSignal): Promise<Value[]> {
  const query = { ...counted(listing), of }
  const { items } = await ask(api.GET('/api/v1/files/facets', { params: { query }, signal }))
  return items.map((item) => ({ ...item, name: nameOf(item.token, item.name) }))
}

function counted({ order: _, sort, ...list }: Listing) {
  const by = sort === 'created' ? sort : 'content_datetime'
  return { ...list, sort: by, pairs: '1' } as const
}

async function countKinds(listing: Listing, signal: AbortSignal): Promise<Value[]> {
  const types = await countFacet('type', listing, signal)
  const shapes = await countFacet('shape', listing, signal)
  const pictures = types.filter(({ token }) => token.startsWith('m=image/'))
  const count = pictures.reduce((sum, type) => sum + type.count, 0)
  const token = 'm~image/%'
  return [
    ...(count > 0 ? [{ token, name: nameOf(token), count }] : []),
    ...shapes.filter((shape) => !SHAPES.test(shape.token)),
    ...types,
  ]
}

async function countEach(
  tokens: string[],
  { filter = '', ...listing }: Listing,
  signal: AbortSignal,
): Promise<Value[]> {
  const values: Value[] = []
  for (const token of tokens.filter((token) => !parseFilter(`{${token}}`).broken)) {
    const query = { ...listing, filter: narrowed(filter, [token]), limit: 1, pairs: '1' } as const
    const { total } = await ask(api.GET('/api/v1/files/ids', { params: { query }, signal }))
    if (total > 0) values.push({ token, name: nameOf(token), count: total })
  }
  return values
}

/** Returns a token in words; `name` is the server's. */
function nameOf(token: string, name = token): string {
  const known = facets().values[token]
  const [, type] = /^m=\w+\/(?:x-\w+-)?(.+)$/.exec(token) ?? []
  const [, sign, bound] = /^b([<>])(\d+)$/.exec(token) ?? []
  const [, country] = /^l=(\w\w)$/.exec(token) ?? []
  if (sign) return `${sign} ${bytes(Number(bound))}`
  if (country) return new Intl.DisplayNames(locale.value, { type: 'region' }).of(country) ?? name
  return known ?? type?.toUpperCase() ?? name
}

function boundOf({ token }: Value): number {
  return Number(token.slice(2)) + Number(token[1] === '>')
}
