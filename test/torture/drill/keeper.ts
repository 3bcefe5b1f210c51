import assert from 'node:assert/strict'
import { createRandom } from '../worlds/random.ts'
import type { Call } from '../worlds/steps.ts'
import type { History } from './history.ts'
import { CLIENTS, VIEWER } from './library.ts'
import { byOffset, get, inOrder, type Shown } from './reading.ts'

/** An admin who changes categories, tags, rules, pools, people, rights and files that are nobody else's to change. */
interface Keeper {
  /** Sends a change, and notes it once it is acknowledged. */
  change(): Promise<void>
}

interface Target {
  key: string
  method: 'PATCH' | 'PUT'
  path: string
  /** What it is changed to; `n` is never the same. */
  body(n: number): object
}

/** How many objects of a kind are changed again and again. */
const OF_EACH = 5

export async function createKeeper(call: Call, history: History, seed: number): Promise<Keeper> {
  const targets = await findTargets(call, history)
  const random = createRandom(seed + CLIENTS.length)
  let n = 0
  return {
    async change() {
      const { key, method, path, body } = random.pick(targets)
      const begun = performance.now()
      const response = await call(method, path, body(++n))
      const text = await response.text()
      assert.equal(response.status, 200, `${method} ${path}: ${text}`)
      const operation = response.headers.get('Operation')
      // Rights and what a person may do can be set to what they are.
      if (operation !== null) history.note(Number(operation), begun, [[key, JSON.parse(text)]])
    },
  }
}

async function findTargets(call: Call, history: History): Promise<Target[]> {
  const isNobodys = ({ name }: Shown) => !CLIENTS.some((client) => name.startsWith(`${client}-`))
  const list = async (path: string) =>
    (await inOrder(byOffset(call, path))).filter(isNobodys).slice(0, OF_EACH)
  const targets: Target[] = []
  const notes = (n: number) => ({ notes: `seen for the ${n}th time` })
  const add = (key: string, shown: Shown, target: Omit<Target, 'key'>) => {
    history.begin(key, shown)
    targets.push({ key, ...target })
  }
  for (const [kind, path] of [
    ['category', '/categories'],
    ['tag', '/tags'],
    ['pool', '/pools'],
  ] as const) {
    for (const shown of await list(path)) {
      const own = { method: 'PATCH', path: `${path}/${shown.id}`, body: notes } as const
      add(`${kind} ${shown.id}`, shown, own)
    }
  }
  const { items } = await get(call, '/files?limit=200&search=img_')
  for (const shown of items.slice(0, OF_EACH)) {
    add(`file ${shown.id}`, shown, { method: 'PATCH', path: `/files/${shown.id}`, body: notes })
  }
  for (const { when_tag_id, then_tag_id, ...rest } of (await get(call, '/tags/rules')).slice(
    0,
    5,
  )) {
    add(
      `rule ${when_tag_id} ${then_tag_id}`,
      { when_tag_id, then_tag_id, ...rest },
      {
        method: 'PATCH',
        path: `/tags/${when_tag_id}/rules/${then_tag_id}`,
        body: (n) => ({ is_active: n % 2 === 0 }),
      },
    )
  }
  const viewer = (await get(call, '/users')).items.find(({ name }: Shown) => name === VIEWER)
  add(`user ${viewer.id}`, viewer, {
    method: 'PATCH',
    path: `/users/${viewer.id}`,
    body: (n) => ({ can_create: n % 2 === 0 }),
  })
  for (const { id } of items.slice(OF_EACH, 2 * OF_EACH)) {
    add(`access ${id}`, await get(call, `/acl/file/${id}`), {
      method: 'PUT',
      path: `/acl/file/${id}`,
      body: (n) => ({
        permissions: [{ user_id: viewer.id, can_view: true, can_edit: n % 2 === 0 }],
      }),
    })
  }
  return targets
}
