import { api, ask } from '../base/api.ts'
import { session } from '../base/session.ts'
import { findTags, indexTags } from '../tagging/match.ts'
import type { Person } from './state.ts'

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
