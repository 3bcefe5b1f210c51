import type { Schemas } from '../../client/index.ts'
import { type ObjectType, readAccess } from '../base/access.ts'
import { api, ask } from '../base/api.ts'
import { FLAGS } from '../base/listing.ts'
import { filmOf, noteFilms } from '../base/pairs.ts'
import { session } from '../base/session.ts'
import { slicesOf } from '../base/slices.ts'
import { files } from '../grid/index.ts'
import { asOne, openAmong, type Pictures, type Right, type Sum, sumOf } from './sight.ts'
import { type Person, readPeople, type State, type Subject } from './state.ts'

type Reach = Schemas['Reach']
/** The files in question. */
type Asked = { file_ids: string[] } | { pool_id: string }

/** The most users that one request of the API covers. */
const USERS = 20

/** Returns how many of the files each user sees, in as many requests as needed. Throws an ApiError. */
async function readReach(
  asked: Asked,
  users: readonly number[],
  signal: AbortSignal,
): Promise<Sum> {
  const parts: Asked[] =
    'pool_id' in asked ? [asked] : slicesOf(asked.file_ids).map((file_ids) => ({ file_ids }))
  const slices: Reach[][] = []
  for (const part of parts) {
    const slice: Reach[] = []
    // Sequentially, because the server computes one user's view at a time.
    for (let at = 0; at === 0 || at < users.length; at += USERS) {
      const body = { ...part, user_ids: users.slice(at, at + USERS) }
      slice.push(await ask(api.POST('/api/v1/files/reach', { body, signal })))
    }
    slices.push(slice)
  }
  return sumOf(slices)
}

interface Shown {
  id: string
  v?: string
}

const SHOWN = 9

/** The data of an object that has an access list. */
interface Owned {
  creator_id: number
  creator_name: string
  is_public: boolean
}

/** Returns what is shared, and who of those people see it now, by default all. Throws an ApiError. */
export async function readState(
  subject: Subject,
  signal: AbortSignal,
  among: (person: Person) => boolean = () => true,
): Promise<State> {
  const people = (await readPeople(signal)).filter(among)
  if ('files' in subject) return readFiles(await idsOf(subject), people, signal)
  if ('pool_id' in subject) {
    const { pool_id } = subject
    const path = { pool_id }
    const pool = await ask(api.GET('/api/v1/pools/{pool_id}', { params: { path }, signal }))
    const { shares_files: sharesFiles, is_smart: isSmart } = pool
    const state = await stateOf('pool', pool, people, signal)
    const pictures = await picturesOf(await askedOf(pool), people, signal)
    return { ...state, sharesFiles, isSmart, pictures, ids: () => idsOf(subject) }
  }
  if ('tag_id' in subject) {
    const path = { tag_id: subject.tag_id }
    const tag = await ask(api.GET('/api/v1/tags/{tag_id}', { params: { path }, signal }))
    return stateOf('tag', tag, people, signal)
  }
  const path = { category_id: subject.category_id }
  const call = api.GET('/api/v1/categories/{category_id}', { params: { path }, signal })
  return stateOf('category', await ask(call), people, signal)
}

async function stateOf(
  kind: 'tag' | 'category' | 'pool',
  object: Owned & { id: string; name: string },
  people: Person[],
  signal: AbortSignal,
): Promise<State> {
  const rest = { sharesFiles: false, isSmart: false, pictures: null, ids: async () => [] }
  return { kind, name: object.name, ...(await rightsOf(kind, object, people, signal)), ...rest }
}

/** Returns the data that all objects with an access list have in common. */
async function rightsOf(
  type: ObjectType,
  { id, is_public, creator_id, creator_name }: Owned & { id: string },
  people: Person[],
  signal: AbortSignal,
) {
  const { user } = session.peek()!
  const isOwn = creator_id === user.id
  const isMine = isOwn || user.is_admin
  const entries = isMine ? await readAccess(type, id, signal) : []
  return {
    creator: creator_name,
    isOwn,
    isMine,
    // The creator may do everything with it.
    people: people.filter((person) => person.id !== creator_id),
    list: { entries: new Map(entries.filter(isSeeing).map(rightOf)), isPublic: is_public },
  }
}

const isSeeing = ({ can_view }: { can_view: boolean }) => can_view
function rightOf({ user_id, can_edit }: Schemas['Permission']): [number, Right] {
  return [user_id, can_edit ? 'edit' : 'view']
}

async function readFiles(ids: string[], people: Person[], signal: AbortSignal): Promise<State> {
  const rest = { name: '', sharesFiles: false, isSmart: false, ids: async () => ids }
  if (ids.length === 1) {
    const path = { file_id: ids[0]! }
    const file = await ask(api.GET('/api/v1/files/{file_id}', { params: { path }, signal }))
    const state = await rightsOf('file', file, people, signal)
    const pictures = await picturesOf({ file_ids: ids }, state.people, signal)
    return { kind: 'file', ...rest, ...state, pictures }
  }
  const pictures = await picturesOf({ file_ids: ids }, people, signal)
  return {
    kind: 'files',
    ...rest,
    creator: '',
    isOwn: true,
    isMine: pictures.own > 0,
    people,
    list: null,
    pictures,
  }
}

async function picturesOf(asked: Asked, people: Person[], signal: AbortSignal): Promise<Pictures> {
  const users = people.map(({ id }) => id)
  const reach = await readReach(asked, users, signal)
  const films = 'pool_id' in asked ? [] : asked.file_ids.flatMap((id) => filmOf(id) ?? [])
  const { all, others, sights } =
    films.length === 0 ? reach : asOne(reach, await readReach({ file_ids: films }, users, signal))
  const own = all - others
  return { all, own, foreign: foreignOf(asked, own), sights, open: openAmong(sights.values(), own) }
}

/**
 * Returns how many of the pictures that the caller may share others may have created: an admin shares
 * those of others as well.
 */
function foreignOf(asked: Asked, own: number): number {
  if (!session.peek()!.user.is_admin) return 0
  if ('pool_id' in asked) return own
  const flags = files.flags()
  return asked.file_ids.filter((id) => ((flags.get(id) ?? 0) & FLAGS.own) === 0).length
}

/** Returns how to ask about a pool: by its files if it holds films that are one with pictures of it. */
async function askedOf({ id: pool_id, file_count }: Schemas['Pool']): Promise<Asked> {
  const query = { pool: pool_id, limit: 1, pairs: '1' as const }
  const { total } = await ask(api.GET('/api/v1/files/ids', { params: { query } }))
  return total < file_count ? { file_ids: await idsOf({ pool_id }) } : { pool_id }
}

/** Returns the ids of the pictures of files or of a pool. Throws an ApiError. */
async function idsOf(subject: Subject): Promise<string[]> {
  if ('files' in subject) return (await subject.files.ids()).ids
  if (!('pool_id' in subject)) return []
  const found: string[] = []
  let cursor: string | undefined
  do {
    const query = { pool: subject.pool_id, pairs: '1' as const, ...(cursor && { cursor }) }
    const page = await ask(api.GET('/api/v1/files/ids', { params: { query } }))
    noteFilms(page.ids, page.films)
    found.push(...page.ids)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}

/** Returns the first pictures of what is shared; none if it has none. Throws an ApiError. */
export async function readShown(subject: Subject, signal: AbortSignal): Promise<Shown[]> {
  if ('pool_id' in subject) {
    const query = { pool: subject.pool_id, limit: SHOWN, hashes: '0', pairs: '1' } as const
    const cells = await ask(api.GET('/api/v1/files/cells', { params: { query }, signal }))
    return cells.ids.map((id, at) => ({ id, v: cells.v[at]! }))
  }
  return (await idsOf(subject)).slice(0, SHOWN).map((id) => {
    const position = files.positionOf(id)
    const cell = position === null ? null : files.peek(position)
    return cell ? { id, v: cell.version } : { id }
  })
}
