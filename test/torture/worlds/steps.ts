import { randomBytes } from 'node:crypto'
import { form, picture } from '../../support/harness.ts'
import { sha256 } from '../../support/imports.ts'
import type { Random } from './random.ts'
import type { Ids, World } from './world.ts'

/** Sends a request of the API; rejects when the server is gone. */
export type Call = (method: string, path: string, body?: FormData | object) => Promise<Response>

/** A change that a client asks for. */
export interface Step {
  kind: StepKind
  /** The world once it is done. */
  next: World
  send(call: Call): Promise<Response>
  /** The kind and the name of what it makes. */
  makes?: string
  /** Whether an undo right after it brings back the world as it was. */
  isUndoable?: boolean
}

/** What a step is chosen from. */
export interface Scene {
  world: World
  ids: Ids
  random: Random
  /** Returns a name that was never given before. */
  newName(what: string): string
  /** The last step, while it may be undone: its number and the world before it. */
  last: { operation: string; before: World } | null
  /** How many files a step changes at most, and how many bytes follow a picture. */
  most: number
  tail: number
}

type Planner = (scene: Scene) => Step | null | Promise<Step | null>
type Planned = Omit<Step, 'kind'>

const inOrder = (names: Iterable<string>) => [...new Set(names)].sort()

/** Returns the world with the tags of some files changed. */
function retagged(world: World, files: string[], change: (tags: string[]) => string[]): World {
  const changed = files.map((name) => {
    const file = world.files[name]!
    return [name, { ...file, tags: inOrder(change(file.tags)) }] as const
  })
  return { ...world, files: { ...world.files, ...Object.fromEntries(changed) } }
}

function withTrash(world: World, files: string[], isTrashed: boolean): World {
  const changed = files.map((name) => [name, { ...world.files[name]!, isTrashed }] as const)
  return { ...world, files: { ...world.files, ...Object.fromEntries(changed) } }
}

const without = (list: string[], gone: string[]) => list.filter((one) => !gone.includes(one))
const filesOf = ({ world }: Scene, isTrashed = false) =>
  Object.keys(world.files).filter((name) => world.files[name]!.isTrashed === isTrashed)
const carriers = (world: World, tag: string) =>
  Object.keys(world.files).filter((name) => world.files[name]!.tags.includes(tag))

async function newBytes({ random, tail }: Scene): Promise<Uint8Array> {
  return Buffer.concat([await picture(random.below(1000)), randomBytes(random.below(tail))])
}

const PLANS = {
  async upload(scene): Promise<Planned> {
    const { world, random, ids } = scene
    const name = scene.newName('file')
    const tags = random.some(world.tags, random.below(3))
    const bytes = await newBytes(scene)
    const file = { sha256: sha256(bytes), isTrashed: false, tags: inOrder(tags) }
    const fields = { tag_ids: tags.map((tag) => ids.get(`tag ${tag}`)!).join(',') }
    return {
      next: { ...world, files: { ...world.files, [name]: file } },
      send: (call) => call('POST', '/files', form(bytes, name, tags.length > 0 ? fields : {})),
      makes: `file ${name}`,
    }
  },
  async replace(scene) {
    const { world, random, ids } = scene
    const files = filesOf(scene)
    if (files.length === 0) return null
    const name = random.pick(files)
    const bytes = await newBytes(scene)
    const file = { ...world.files[name]!, sha256: sha256(bytes) }
    return {
      next: { ...world, files: { ...world.files, [name]: file } },
      send: (call) => call('PUT', `/files/${ids.get(`file ${name}`)}/content`, form(bytes, name)),
    }
  },
  trash(scene) {
    const files = scene.random.some(filesOf(scene), 1 + scene.random.below(2))
    if (files.length === 0) return null
    const ids = files.map((name) => scene.ids.get(`file ${name}`)!)
    return {
      next: withTrash(scene.world, files, true),
      send: (call) =>
        ids.length === 1
          ? call('DELETE', `/files/${ids[0]}`)
          : call('POST', '/files/bulk/delete', { file_ids: ids }),
      isUndoable: true,
    }
  },
  restore(scene) {
    const files = scene.random.some(filesOf(scene, true), 1 + scene.random.below(2))
    if (files.length === 0) return null
    const ids = files.map((name) => scene.ids.get(`file ${name}`)!)
    return {
      next: withTrash(scene.world, files, false),
      send: (call) =>
        ids.length === 1
          ? call('POST', `/files/${ids[0]}/restore`)
          : call('POST', '/files/bulk/restore', { file_ids: ids }),
      isUndoable: true,
    }
  },
  purge(scene) {
    const { world, random } = scene
    const files = random.some(filesOf(scene, true), 1 + random.below(3))
    if (files.length === 0) return null
    const ids = files.map((name) => scene.ids.get(`file ${name}`)!)
    const left = Object.entries(world.files).filter(([name]) => !files.includes(name))
    const pools = Object.entries(world.pools).map(([name, list]) => [name, without(list, files)])
    return {
      next: { ...world, files: Object.fromEntries(left), pools: Object.fromEntries(pools) },
      send: (call) =>
        ids.length === 1
          ? call('DELETE', `/files/${ids[0]}/permanent`)
          : call('POST', '/files/bulk/permanent', { file_ids: ids }),
    }
  },
  newTag({ world, newName }) {
    if (world.tags.length > 5) return null
    const name = newName('tag')
    return {
      next: { ...world, tags: inOrder([...world.tags, name]) },
      send: (call) => call('POST', '/tags', { name }),
      makes: `tag ${name}`,
    }
  },
  putTag(scene) {
    const { world, random, ids } = scene
    const files = filesOf(scene)
    if (files.length === 0 || world.tags.length === 0) return null
    const [file, tag] = [random.pick(files), random.pick(world.tags)]
    const path = `/files/${ids.get(`file ${file}`)}/tags/${ids.get(`tag ${tag}`)}`
    const isOn = world.files[file]!.tags.includes(tag)
    return {
      next: retagged(world, [file], (tags) => (isOn ? without(tags, [tag]) : [...tags, tag])),
      send: (call) => call(isOn ? 'DELETE' : 'PUT', path),
      isUndoable: true,
    }
  },
  setTags(scene) {
    const { world, random, ids } = scene
    const files = filesOf(scene)
    if (files.length === 0) return null
    const file = random.pick(files)
    const tags = random.some(world.tags, random.below(4))
    const tag_ids = tags.map((tag) => ids.get(`tag ${tag}`)!)
    return {
      next: retagged(world, [file], () => tags),
      send: (call) => call('PUT', `/files/${ids.get(`file ${file}`)}/tags`, { tag_ids }),
      isUndoable: true,
    }
  },
  bulkTags(scene) {
    const { world, random, ids, most } = scene
    const files = random.some(filesOf(scene), most)
    const named = random.some(world.tags, 1)
    if (files.length === 0 || named.length === 0) return null
    const action = random.below(3) > 0 ? 'add' : 'remove'
    const body = {
      file_ids: files.map((name) => ids.get(`file ${name}`)!),
      tag_ids: named.map((tag) => ids.get(`tag ${tag}`)!),
      action,
    }
    return {
      next: retagged(world, files, (tags) =>
        action === 'add' ? [...tags, ...named] : without(tags, named),
      ),
      send: (call) => call('POST', '/files/bulk/tags', body),
      isUndoable: true,
    }
  },
  mergeTags({ world, random, ids }) {
    const [old, into] = random.some(world.tags, 2)
    if (!into || !old) return null
    const next = retagged(world, carriers(world, old), (tags) => [...without(tags, [old]), into])
    return {
      next: { ...next, tags: without(world.tags, [old]) },
      send: (call) =>
        call('POST', `/tags/${ids.get(`tag ${old}`)}/merge`, { into: ids.get(`tag ${into}`)! }),
      isUndoable: true,
    }
  },
  deleteTag({ world, random, ids }) {
    if (world.tags.length === 0) return null
    const tag = random.pick(world.tags)
    const next = retagged(world, carriers(world, tag), (tags) => without(tags, [tag]))
    return {
      next: { ...next, tags: without(world.tags, [tag]) },
      send: (call) => call('DELETE', `/tags/${ids.get(`tag ${tag}`)}`),
      isUndoable: true,
    }
  },
  newPool({ world, newName }) {
    if (Object.keys(world.pools).length > 2) return null
    const name = newName('pool')
    return {
      next: { ...world, pools: { ...world.pools, [name]: [] } },
      send: (call) => call('POST', '/pools', { name }),
      makes: `pool ${name}`,
    }
  },
  fillPool(scene) {
    const { world, random, ids } = scene
    const pools = Object.keys(world.pools)
    if (pools.length === 0) return null
    const pool = random.pick(pools)
    const list = world.pools[pool]!
    const files = random.some(without(filesOf(scene), list), 3)
    if (files.length === 0) return null
    const position = random.below(list.length + 1)
    const order = [...list.slice(0, position), ...files, ...list.slice(position)]
    const file_ids = files.map((name) => ids.get(`file ${name}`)!)
    return {
      next: { ...world, pools: { ...world.pools, [pool]: order } },
      send: (call) =>
        call('POST', `/pools/${ids.get(`pool ${pool}`)}/files`, { file_ids, position }),
      isUndoable: true,
    }
  },
  thinPool(scene) {
    const { world, random, ids } = scene
    const pools = Object.keys(world.pools).filter((name) => world.pools[name]!.length > 0)
    if (pools.length === 0) return null
    const pool = random.pick(pools)
    const files = random.some(world.pools[pool]!, 2)
    const file_ids = files.map((name) => ids.get(`file ${name}`)!)
    return {
      next: { ...world, pools: { ...world.pools, [pool]: without(world.pools[pool]!, files) } },
      send: (call) => call('POST', `/pools/${ids.get(`pool ${pool}`)}/files/remove`, { file_ids }),
      isUndoable: true,
    }
  },
  orderPool({ world, random, ids }) {
    // Of a pool with trashed files, people arrange only the others.
    const pools = Object.keys(world.pools).filter((name) => {
      const list = world.pools[name]!
      return list.length > 1 && list.every((file) => !world.files[file]!.isTrashed)
    })
    if (pools.length === 0) return null
    const pool = random.pick(pools)
    const order = random.some(world.pools[pool]!, Number.POSITIVE_INFINITY)
    const file_ids = order.map((name) => ids.get(`file ${name}`)!)
    return {
      next: { ...world, pools: { ...world.pools, [pool]: order } },
      send: (call) => call('PUT', `/pools/${ids.get(`pool ${pool}`)}/files/reorder`, { file_ids }),
      isUndoable: true,
    }
  },
  undo({ last }) {
    if (!last) return null
    return {
      next: last.before,
      send: (call) => call('POST', `/operations/${last.operation}/undo`),
    }
  },
} satisfies Record<string, (scene: Scene) => Planned | null | Promise<Planned | null>>

export type StepKind = keyof typeof PLANS

export const ALL_KINDS = Object.keys(PLANS) as StepKind[]

/** Returns a step of a kind, or null when there is nothing to do it with. */
export async function plan(kind: StepKind, scene: Scene): Promise<Step | null> {
  const planned = await (PLANS[kind] as (scene: Scene) => ReturnType<Planner>)(scene)
  return planned && { ...planned, kind }
}
