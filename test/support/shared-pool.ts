import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import sharp from 'sharp'
import { type Library, openLibrary } from './harness.ts'

interface Person {
  id: number
  token: string
}
export type Name = 'root' | 'boss' | 'ann' | 'ed' | 'vic' | 'bob' | 'new' | 'sam'

export let library: Library
/** Everybody by name; root and boss are admins. */
export const people = {} as Record<Name, Person>
/** Ann's a to d and twin, Ed's e, and Root's r; all private. */
export const files: Record<string, string> = {}
let picture: Buffer
/** Ann's pool of a, e and r, which Ed may edit and Vic and Bob may view; Bob may view file a by hand. */
export let pool: string

export const call = async (by: Name, method: string, path: string, body?: object) => {
  const token = people[by].token
  const answer = await library.call(method, path, body ? { token, body } : { token })
  assert.ok(answer.status < 300, `${by} ${method} ${path}: ${answer.text}`)
  return answer
}
const upload = async (by: Name, bytes: Uint8Array) => {
  const answer = await library.upload(people[by].token, bytes)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}
export const named = (names: string[]) => names.map((name) => files[name]!)
export const put = (by: Name, names: string[]) =>
  call(by, 'POST', `/pools/${pool}/files`, { file_ids: named(names) })
export const take = (by: Name, names: string[]) =>
  call(by, 'POST', `/pools/${pool}/files/remove`, { file_ids: named(names) })
export const share = (by: Name, shares_files: boolean) =>
  call(by, 'PATCH', `/pools/${pool}`, { shares_files })
export const list = (by: Name, names: Name[]) =>
  call(by, 'PUT', `/acl/pool/${pool}`, {
    permissions: names.map((name) => ({ user_id: people[name].id, can_edit: name === 'ed' })),
  })
export const undo = async (by: Name, done: { headers: Headers }) =>
  (await call(by, 'POST', `/operations/${done.headers.get('Operation')}/undo`)).body

/** Returns the names of the files that somebody sees, after checking that every answer says the same. */
async function seenBy(name: Name): Promise<string> {
  const { items } = (await call(name, 'GET', '/files?limit=200')).body
  const ids: string[] = items.map((file: { id: string }) => file.id)
  const selection = (await call(name, 'GET', '/files/ids')).body
  assert.deepEqual(selection.ids, ids)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(selection.total, ids.length)
  assert.equal((await call(name, 'GET', '/files/timeline')).body.total, ids.length)
  const asked = { file_ids: ids, user_ids: [people[name].id] }
  if (ids.length > 0) {
    const { users } = (await call('root', 'POST', '/files/reach', asked)).body
    assert.equal(users[0].seen, ids.length)
  }
  for (const id of Object.values(files)) {
    for (const part of ['', '/content', '/thumbnail', '/preview']) {
      const response = await library.fetchRaw('GET', `/files/${id}${part}`, people[name])
      await response.arrayBuffer()
      if (ids.includes(id)) assert.equal(response.status, 200, part)
      else if (response.status !== 403) assert.ok(await isTrashed(id), `${name} ${part}`)
    }
  }
  return Object.keys(files)
    .filter((file) => ids.includes(files[file]!))
    .join(' ')
}
const isTrashed = async (id: string) => (await call('root', 'GET', `/files/${id}`)).body.is_deleted

/** Returns what each person sees. */
export async function seen(): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const name of Object.keys(people) as Name[]) all[name] = await seenBy(name)
  return all
}
/** Returns how many entries there are through pools. */
export const rows = () =>
  library.deps.db.get<{ n: number }>('SELECT count(*) AS n FROM acl WHERE pool_rid <> 0')!.n

/** Makes the people, their files and the pool anew before each test of the file that calls it. */
export function useSharedPool(): void {
  before(async () => {
    library = await openLibrary({}, {}, { rows: 2 })
    for (const name of ['root', 'boss', 'ann', 'ed', 'vic', 'bob', 'new', 'sam'] as const) {
      const is_admin = name === 'root' || name === 'boss'
      people[name] = await library.join(name, { is_admin, can_create: true })
    }
    const of = (background: string) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer()
    picture = await of('#808080')
  })
  after(() => library.close())

  beforeEach(async () => {
    const { db } = library.deps
    for (const table of ['files', 'pools', 'acl', 'audit_log']) db.run(`DELETE FROM ${table}`)
    for (const file of ['a', 'b', 'c', 'd', 'twin']) files[file] = await upload('ann', picture)
    files.e = await upload('ed', picture)
    files.r = await upload('root', picture)
    pool = (await call('ann', 'POST', '/pools', { name: 'trip' })).body.id
    await list('ann', ['ed', 'vic', 'bob'])
    await put('root', ['a', 'e', 'r'])
    await call('ann', 'PUT', `/acl/file/${files.a}`, { permissions: [{ user_id: people.bob.id }] })
  })
}

/** What each person sees while the pool shares nothing, and once Ann shares hers. */
export const BEFORE = {
  root: 'a b c d twin e r',
  boss: 'a b c d twin e r',
  ann: 'a b c d twin',
  ed: 'e',
  vic: '',
  bob: 'a',
  new: '',
  sam: '',
}
export const ANNS = { ...BEFORE, ed: 'a e', vic: 'a', bob: 'a' }
