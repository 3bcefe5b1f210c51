import { requireRoomToMake } from '../../acl/limit-queries.ts'
import { audit } from '../../audit/record.ts'
import { findAccountByName } from '../../auth/queries.ts'
import { metadataText } from '../../base/update.ts'
import type { User } from '../../base/user.ts'
import { createCategory } from '../../categories/edit.ts'
import { newId } from '../../db/ids.ts'
import { fold } from '../../db/text.ts'
import type { Tx } from '../../db/write.ts'
import {
  findCategoryNamed,
  findTagNamed,
  mayEditTag,
} from '../../tags/described/described-queries.ts'
import { nameWith } from '../../tags/described/places.ts'
import { recordCreated } from '../../tags/edit.ts'
import { insertTag, loadTagByRid } from '../../tags/queries.ts'
import { isRuleActive } from '../../tags/rules/rule-queries.ts'
import { createRule } from '../../tags/rules/rules.ts'
import { getUser, insertUser } from '../../users/queries.ts'
import { ADMIN, type Context, eachLine, grant, personOf } from './context.ts'

const PORTION = 50
const FIND = { tag: findTagNamed, category: findCategoryNamed }

/** Finds the users of an exported library, and makes those that don't exist if that was asked for. */
export async function importPeople(context: Context): Promise<void> {
  const { people, isWhole, create_users } = context
  const missing: string[] = []
  await eachLine(context, { kind: 'user', size: PORTION }, (tx, user, { name }) => {
    const account = findAccountByName(tx, name)
    if (account) people.set(name, getUser(tx, account.id))
    else if (create_users && !isWhole) people.set(name, makeUser(tx, user, name))
    else {
      people.set(name, null)
      missing.push(name)
    }
  })
  if (missing.length === 0) return
  const names = missing.slice(0, 5).map((name) => JSON.stringify(name))
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : ''
  context.tell(`there is no user ${names.join(', ')}${more}: what is theirs got another owner`)
}

/** Makes a user who is blocked and without a password. */
export function makeUser(tx: Tx, actor: User, name: string): User {
  const rights = { is_admin: false, can_create: false }
  // No password has this hash.
  const made = insertUser(tx, { name, password_hash: '', ...rights, is_blocked: true })
  audit(tx, actor, 'user_create', null, { user_id: made.id, name, ...rights })
  return made
}

/**
 * Makes the categories, tags and rules of an exported library that don't exist. No rule is applied, and none is made on a
 * tag that was here and that the owner of the exported one may not edit.
 */
export async function importNames(context: Context): Promise<void> {
  await eachLine(context, { kind: 'category', size: PORTION }, (tx, user, line) => {
    const owner = personOf(context, line.creator, user)
    const name = freeName(tx, context, { type: 'category', name: line.name, owner })
    if (name === null) return
    const { notes, color, metadata, is_public } = line
    const id = createCategory(tx, owner, { name, notes, color, metadata, is_public })
    const { rid } = findCategoryNamed(tx, owner, name)!
    grant(tx, context, user, { type: 'category', rid, id }, line.rights)
  })
  const others = new Set<string>()
  await eachLine(context, { kind: 'tag', size: PORTION }, (tx, user, line) => {
    const owner = personOf(context, line.creator, user)
    const name = freeName(tx, context, { type: 'tag', name: line.name, owner })
    if (name === null) {
      const rid = ridOf(tx, context, 'tag', line.name)
      if (rid !== null && !mayEditTag(tx, owner, rid)) others.add(line.name)
      return
    }
    requireRoomToMake(tx, 'tag', owner.id)
    const id = newId(tx, 'tags')
    const rid = insertTag(tx, {
      id,
      name,
      name_key: fold(name),
      notes: line.notes,
      color: line.color,
      metadata: metadataText(line.metadata),
      category_rid: line.category === null ? null : ridOf(tx, context, 'category', line.category),
      creator_id: owner.id,
      is_public: line.is_public,
    })
    recordCreated(tx, user, loadTagByRid(tx, rid), { file_count: 0, rule_count: 0 })
    grant(tx, context, user, { type: 'tag', rid, id }, line.rights)
  })
  if (context.isWhole) return
  await eachLine(context, { kind: 'rule', size: PORTION }, (tx, user, line) => {
    const [when, then] = [line.when, line.then].map((name) => ridOf(tx, context, 'tag', name))
    if (!when || !then || when === then || others.has(line.when)) return
    if (isRuleActive(tx, { when_tag_rid: when, then_tag_rid: then }) !== null) return
    const tags = { whenTag: loadTagByRid(tx, when), thenTag: loadTagByRid(tx, then) }
    createRule(tx, user, tags, { is_active: line.is_active, apply_to_existing: false })
  })
}

/** Returns the row number of the tag or category that stands for one of the exported library, or null without one. */
export function ridOf(
  tx: Tx,
  { renamed }: Context,
  type: 'tag' | 'category',
  name: string,
): number | null {
  return FIND[type](tx, ADMIN, renamed[type].get(name) ?? name)?.rid ?? null
}

/**
 * Returns the name that a new tag or category gets; null when its owner sees one of that name, which stands for it, and
 * when none is to be made. What the owner doesn't see keeps its name, and the new one is named after the owner.
 */
function freeName(
  tx: Tx,
  { renamed, isWhole }: Context,
  { type, name, owner }: { type: 'tag' | 'category'; name: string; owner: User },
): string | null {
  for (let count = 0; ; count++) {
    const wanted = count === 0 ? name : nameWith(name, owner.name, count)
    const found = FIND[type](tx, owner, wanted)
    if (found && !found.allowed) continue
    if (wanted !== name) renamed[type].set(name, wanted)
    return found || isWhole ? null : wanted
  }
}
