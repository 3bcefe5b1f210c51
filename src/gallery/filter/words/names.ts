import { computed } from '@preact/signals'
import { api, ask } from '../../base/api.ts'
import { type Resource, resource } from '../../base/resource.ts'
import { floods, returns } from '../../base/returning.ts'
import { session } from '../../base/session.ts'
import { arePoolsLoaded, pools, poolsError } from '../../pool-box/index.ts'
import {
  areCategoriesThere,
  areTagsLoaded,
  categories,
  tags,
  tagsError,
} from '../../tag-box/index.ts'
import { today } from '../../this-day/read.ts'
import { type Known, knownFrom, type Named, type Names, placesOf } from './conditions.ts'
import type { NameOf } from './say.ts'

/** Returns a function that creates the resource at its first call. */
function once<Data>(load: (signal: AbortSignal) => Promise<Data>): () => Resource<Data> {
  let created: Resource<Data> | undefined
  return () => {
    created ??= resource(async (signal) => {
      void [returns.value, floods.value]
      return load(signal)
    })
    return created
  }
}

const allPeople = once((signal) => ask(api.GET('/api/v1/people', { signal })))
const facets = (of: 'camera' | 'town') =>
  once(async (signal): Promise<Named[]> => {
    const query = { of } as const
    return (await ask(api.GET('/api/v1/files/facets', { params: { query }, signal }))).items
  })
const allCameras = facets('camera')
const allTowns = facets('town')
const NOTHING: never[] = []
const people = () => allPeople().data.value ?? NOTHING

/** Loads what may be named, before typing begins. */
export function prepareNames(): void {
  void names.peek()
}

/** Whether all that may be named is loaded, or could not be. */
export const areNamesThere = computed(
  () =>
    [allPeople(), allCameras(), allTowns()].every(
      ({ data, error }) => data.value !== undefined || error.value !== undefined,
    ) &&
    (arePoolsLoaded.value || poolsError.value !== undefined) &&
    (areTagsLoaded.value || tagsError.value !== undefined) &&
    areCategoriesThere.value,
)

/** What the viewer sees that has a name. */
export const names = computed<Names>(() => ({
  tags: tags.value.map(({ id, name }) => ({ name, token: `t=${id}` })),
  categories: categories.value.map(({ id, name }) => ({ name, token: `c=${id}` })),
  albums: pools.value.flatMap(({ id, name, is_smart }) =>
    is_smart ? [] : [{ name, token: `p=${id}` }],
  ),
  people: people().map(({ id, name }) => ({ name, token: `u=${id}` })),
  cameras: allCameras().data.value ?? NOTHING,
  places: (allTowns().data.value ?? NOTHING).flatMap(placesOf),
}))

const known = computed(() => knownFrom(names.value, session.value?.user.id ?? 0, ''))

/** Returns what is needed to understand a text now. */
export function knownNow(): Known {
  return { ...known.value, today: today() }
}

/** Returns the name of a category, an album or a user; undefined if the viewer doesn't see it, and before it is loaded. */
export const nameOf: NameOf = (letter, id) => listOf(letter).find((one) => one.id === id)?.name

/** Returns the id of the category, the album or the user with a name. */
export function idOf(letter: 'c' | 'p' | 'u', name: string): string | undefined {
  return listOf(letter).find((one) => one.name === name)?.id
}

function listOf(letter: 'c' | 'p' | 'u'): { id: string; name: string }[] {
  if (letter === 'c') return categories.value
  if (letter === 'p') return pools.value
  return people().map(({ id, name }) => ({ id: String(id), name }))
}
