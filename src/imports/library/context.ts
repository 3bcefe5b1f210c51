import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { listPermissions, replacePermissions } from '../../acl/queries.ts'
import { audit } from '../../audit/record.ts'
import type { WriteAs } from '../../auth/write-as.ts'
import { AppError } from '../../base/errors.ts'
import type { User } from '../../base/user.ts'
import type { Tx } from '../../db/write.ts'
import { type Index, type Kind, type LineOf, linesOf } from './lines.ts'

/** What all steps of an import of an exported library share. */
export interface Context {
  source: FileHandle
  index: Index
  /** The name of `library.json` in the journal. */
  path: string
  writeAs: WriteAs
  isOver: () => boolean
  /** Whether the whole was imported before: only what is new since is done. */
  isWhole: boolean
  /** Whether users who don't exist are made. */
  create_users: boolean
  /** The users whom it names; null for those who don't exist. */
  people: Map<string, User | null>
  /** The names that tags and categories have here instead. */
  renamed: { tag: Map<string, string>; category: Map<string, string> }
  /** Adds something that the import has left out. */
  tell(message: string): void
}

/** Sees all, as the admin does in whose name each write is. */
export const ADMIN: User = { id: 0, name: '', is_admin: true, can_create: true }

/** Returns the user with a name, or the one who stands for those that don't exist. */
export function personOf({ people }: Context, name: string, standIn: User): User {
  return people.get(name) ?? standIn
}

/**
 * Calls `work` with the lines of a kind, each within a write that has `size` lines at most. A line for which it throws an
 * AppError, before it has changed anything, is told and left out. Stops once the import is over.
 */
export async function eachLine<K extends Kind>(
  context: Context,
  { kind, size }: { kind: K; size: number },
  work: (tx: Tx, user: User, line: LineOf<K>) => void,
): Promise<void> {
  let portion: LineOf<K>[] = []
  const writePortion = async () => {
    const lines = portion
    portion = []
    if (lines.length > 0 && !context.isOver()) {
      context.writeAs((tx, user) => {
        for (const line of lines) unlessRefused(context, line, () => work(tx, user, line))
      })
    }
    await setImmediate()
  }
  for await (const { line } of linesOf(context.source, context.index, kind)) {
    portion.push(line)
    if (portion.length === size) await writePortion()
  }
  await writePortion()
}

/** Runs work that throws an AppError only before it has changed anything; such an error is told. */
export function unlessRefused(
  context: Context,
  line: { type: Kind; name?: string | null },
  work: () => void,
): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const name = line.name ? ` ${JSON.stringify(line.name)}` : ''
    context.tell(`${line.type}${name}: ${error.message}`)
  }
}

/** Writes the access list of a new object: the entries of those users who exist. */
export function grant(
  tx: Tx,
  { people }: Context,
  actor: User,
  object: { type: 'file' | 'tag' | 'category' | 'pool'; rid: number; id: string },
  rights: LineOf<'file'>['rights'],
): void {
  const { type, rid, id } = object
  const permissions = rights.flatMap(({ user, can_view, can_edit }) => {
    const person = people.get(user)
    return person ? [{ user_id: person.id, can_view, can_edit }] : []
  })
  if (permissions.length === 0) return
  replacePermissions(tx, { type, rid }, permissions)
  audit(tx, actor, 'acl_change', { type, id }, { from: [], to: listPermissions(tx, type, rid) })
}
