import assert from 'node:assert/strict'
import { write } from '../../src/db/write.ts'
import { type FileSeed, fileSeed, idAt, insertFiles, randomNumbers, sees } from './file-rows.ts'
import { type Answer, openLibrary } from './harness.ts'
import { allow, insertCategory, insertPool, insertTag, putTags } from './object-rows.ts'

const id = (n: number) => idAt(Date.UTC(2026, 0, 1), n)
export const NAMES = ['root', 'ann', 'ed', 'vic', 'bob'] as const
export type Name = (typeof NAMES)[number]
type Who = Name | 'all'

/** Who may view each tag, category and pool, beside the admin. */
export const TAGS: Record<string, { id: string; seenBy: Who[]; category?: string }> = {
  beach: { id: id(0x21), seenBy: ['all'] },
  rome: { id: id(0x22), seenBy: ['ann', 'vic'], category: 'trips' },
  secret: { id: id(0x23), seenBy: ['ann'] },
  hike: { id: id(0x24), seenBy: ['all'], category: 'plans' },
}
export const CATEGORIES: Record<string, { id: string; seenBy: Who[] }> = {
  trips: { id: id(0x11), seenBy: ['all'] },
  plans: { id: id(0x12), seenBy: ['ann', 'ed'] },
}
export const POOLS: Record<string, { id: string; seenBy: Who[] }> = {
  open: { id: id(0x31), seenBy: ['all'] },
  hidden: { id: id(0x32), seenBy: ['ann', 'bob'] },
}
/** An id of nothing. */
export const UNKNOWN = id(0x99)

export interface Picture extends FileSeed {
  has: string[]
  in: string[]
}

export type World = Awaited<ReturnType<typeof openSmart>>

/**
 * Opens a library of five people, whose files have tags and are in pools that not everybody sees. `pool` is Ann's album
 * that fills itself, which Ed may edit, and Vic and Bob may view.
 */
export async function openSmart(filter = '{m=image/png}') {
  const library = await openLibrary({}, {}, { rows: 4 })
  const { db } = library.deps
  const people = {} as Record<Name, { id: number; token: string }>
  for (const name of NAMES) {
    people[name] = await library.join(name, {
      is_admin: name === 'root',
      can_create: name !== 'vic',
    })
  }
  const mayView = (name: Name, { seenBy }: { seenBy: Who[] }) =>
    name === 'root' || seenBy.includes('all') || seenBy.includes(name)
  const random = randomNumbers(5)
  const one = <T>(values: readonly T[]) => values[random(values.length)]!
  const some = (names: string[]) => names.filter(() => random(3) === 0)
  const pictures = Array.from({ length: 90 }, (_, n): Picture => {
    const others = (['ed', 'vic', 'bob'] as const).filter(() => random(2) === 0)
    return {
      ...fileSeed(idAt(1.7e12 + n * 1000, n), {
        name: `${random(9)}.jpg`,
        time: Date.UTC(2015 + random(9), random(12), 1 + random(28)),
        type: one(['image/jpeg', 'image/png', 'video/mp4']),
        owner: people[one(['ann', 'ann', 'ed', 'root'] as const)].id,
        isPublic: random(6) === 0,
        trashed: random(7) === 0,
        viewers: others.map((name) => people[name].id),
      }),
      has: some(Object.keys(TAGS)),
      in: some(Object.keys(POOLS)),
    }
  })
  insertFiles(db, pictures)
  write(db, { now: 0 }, () => {
    const common = (name: string, { id, seenBy }: { id: string; seenBy: Who[] }) => ({
      ...{ id, name, owner: people.ann.id, isPublic: seenBy.includes('all') },
    })
    for (const [name, category] of Object.entries(CATEGORIES)) {
      insertCategory(db, common(name, category))
    }
    for (const [name, { category, ...tag }] of Object.entries(TAGS)) {
      const inIt = category === undefined ? {} : { category: CATEGORIES[category]!.id }
      insertTag(db, { ...common(name, tag), ...inIt })
    }
    for (const [name, pool] of Object.entries(POOLS)) {
      const files = pictures.filter((file) => file.in.includes(name)).map((file) => file.id)
      insertPool(db, { ...common(name, pool), files })
    }
    const named = { tag: TAGS, category: CATEGORIES, pool: POOLS }
    for (const type of ['tag', 'category', 'pool'] as const) {
      for (const { id, seenBy } of Object.values(named[type])) {
        for (const who of seenBy) if (who !== 'all') allow(db, people[who].id, type, id)
      }
    }
    for (const { id, has } of pictures)
      putTags(
        db,
        id,
        has.map((name) => TAGS[name]!.id),
      )
  })

  const call = (by: Name, method: string, path: string, body?: object): Promise<Answer> => {
    const { token } = people[by]
    return library.call(method, path, body ? { token, body } : { token })
  }
  const good = async (by: Name, method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await call(by, method, path, body)
    assert.ok(answer.status < 300, `${by} ${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const make = async (by: Name, fields: object) =>
    (await good(by, 'POST', '/pools', { name: 'an album', ...fields })).body
  const pool: string = (await make('ann', { filter })).id
  const permissions = (['ed', 'vic', 'bob'] as const).map((name) => ({
    user_id: people[name].id,
    can_edit: name === 'ed',
  }))
  await good('ann', 'PUT', `/acl/pool/${pool}`, { permissions })

  return {
    library,
    people,
    pictures,
    pool,
    call,
    good,
    make,
    /** Whether somebody may view a tag, a category or a pool. */
    mayView,
    /** Returns the files that somebody sees and that aren't in the trash, newest first. */
    seen: (name: Name) =>
      pictures
        .filter((file) => !file.trashed && (name === 'root' || sees(people[name].id, file)))
        .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1)),
    /** Lets 30 s pass, after which counts are made anew. */
    wait() {
      library.time.now += 30_000
    },
    undo: async (by: Name, done: Answer) =>
      (await good(by, 'POST', `/operations/${done.headers.get('Operation')}/undo`)).body,
  }
}
