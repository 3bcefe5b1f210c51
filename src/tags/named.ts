import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import { createTag } from './edit.ts'
import { findTagByName } from './named-queries.ts'
import { loadTagRids } from './queries.ts'
import { TagCreate } from './schema.ts'

const named = (name: string, is_public = false) => TagCreate.safeParse({ name, is_public })

/** Returns those of the names that no tag may have. */
export function unfitNames(names: string[]): string[] {
  return names.filter((name) => !named(name).success)
}

/**
 * Returns the row numbers of the tags with the given names, each once; creates a tag, which may be public, if the user
 * may view none with a name, in any case. `unfit` are the names that no tag may have. Throws what `createTag` throws.
 */
export function tagsNamed(
  tx: Tx,
  user: User,
  { names, is_public }: { names: string[]; is_public: boolean },
): { rids: number[]; unfit: string[] } {
  const rids = new Set<number>()
  const unfit: string[] = []
  for (const given of names) {
    const fields = named(given, is_public)
    if (fields.success) rids.add(tagNamed(tx, user, fields.data))
    else unfit.push(given)
  }
  return { rids: [...rids], unfit }
}

function tagNamed(tx: Tx, user: User, fields: TagCreate): number {
  return (
    findTagByName(tx, user, fields.name) ?? loadTagRids(tx, user, [createTag(tx, user, fields)])[0]!
  )
}
