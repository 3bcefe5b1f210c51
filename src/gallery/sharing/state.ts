import type { ObjectType } from '../base/access.ts'
import { api, ask } from '../base/api.ts'
import { session } from '../base/session.ts'
import type { Target } from '../tag-box/index.ts'
import { findTags, indexTags } from '../tag-box/match.ts'
import type { List, Pictures } from './sight.ts'

/** A person with the matching parts of the name. */
export interface Found {
  person: Person
  parts: [number, number][]
}

const MOST = 8

/** Returns all users but the caller, by name. Throws an ApiError. */
export async function readPeople(signal: AbortSignal): Promise<Person[]> {
  const people = await ask(api.GET('/api/v1/people', { signal }))
  const own = session.peek()!.user.id
  return people.filter(({ id }) => id !== own)
}

/** Returns the people whose names match a text, the best first. */
export function findPeople(people: readonly Person[], text: string): Found[] {
  const named = people.map((person) => ({ id: String(person.id), name: person.name, person }))
  return findTags(
    indexTags(named, () => 0),
    text,
    MOST,
  ).map(({ tag, parts }) => ({
    person: tag.person,
    parts,
  }))
}

/** Another user. */
export interface Person {
  id: number
  name: string
}

/** What is shared, and who sees it now. */
export interface State {
  kind: ObjectType | 'files'
  /** Of a pool, a tag or a category. */
  name: string
  creator: string
  /** Whether the caller created it. */
  isOwn: boolean
  /** Whether the caller may change who sees it. */
  isMine: boolean
  people: Person[]
  /** Who may see it; null for several files, which have a list each. */
  list: List | null
  /** Whether those on the list of a pool may view its pictures through it, and later ones. */
  sharesFiles: boolean
  /** Whether it is a pool that fills itself, in which each person sees their own part. */
  isSmart: boolean
  /** Of files, or of a pool. */
  pictures: Pictures | null
  /** Returns the ids of its pictures that can be shared at once. Throws an ApiError. */
  ids(): Promise<string[]>
}

export type Subject =
  | { files: Target }
  | { pool_id: string }
  | { tag_id: string }
  | { category_id: string }

/** What a link can show to people without an account. */
export type Linked = Extract<Subject, { files: Target } | { pool_id: string }>
