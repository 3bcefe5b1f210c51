import { after, before, beforeEach } from 'node:test'
import { addTag } from '../files.ts'
import { type Answer, type Library, openLibrary } from '../harness.ts'
import { makeFiles } from './portions.ts'

/** How many files carry the tag `beach`. */
export const FILES = 700

interface Person {
  id: number
  token: string
}

/**
 * Opens a library for the tests of a file, whose changes have portions of 50 rows, and makes it anew
 * for each test: three users, and three tags of Ann's, of which `beach` is on all files.
 */
export function useLongChanges() {
  /** Called after each portion, and waited for. */
  let onPortion: () => void | Promise<void> = () => {}
  const world = {} as {
    library: Library
    root: Person
    ann: Person
    bob: Person
    beach: string
    sea: string
    sun: string
    files: string[]
  }

  before(async () => {
    world.library = await openLibrary({}, {}, { rows: 50, onPortion: () => onPortion() })
    world.root = await world.library.join('Root', { is_admin: true })
  })
  after(() => world.library.close())
  beforeEach(async () => {
    onPortion = () => {}
    const { library, root } = world
    const { db } = library.deps
    const tables = ['files', 'tags', 'pools', 'audit_log', 'long_changes', 'usage']
    for (const table of tables) db.run(`DELETE FROM ${table}`)
    db.run('DELETE FROM users WHERE id <> ?', root.id)
    world.ann = await library.join('Ann', { can_create: true })
    world.bob = await library.join('Bob', { can_create: true })
    const tag = async (name: string) => (await addTag(library, world.ann.token, name)).id
    world.beach = await tag('beach')
    world.sea = await tag('sea')
    world.sun = await tag('sun')
    world.files = makeFiles(library, FILES, { owner: world.ann.id, tags: [world.beach] })
  })

  function ask(method: string, path: string, body?: unknown, { token } = world.ann) {
    return world.library.call(method, path, { token, body })
  }

  return Object.assign(world, {
    ask,
    /** Makes a rule by which a tag, `sea` by default, follows from `beach`. */
    makeRule: (then_tag_id = world.sea) =>
      ask('POST', `/tags/${world.beach}/rules`, { then_tag_id }),
    /** Returns how many files match a filter. */
    async filtered(filter: string, user = world.ann): Promise<number> {
      const path = `/files?limit=200&filter=${encodeURIComponent(filter)}`
      let found = 0
      for (let cursor = ''; ; ) {
        const { items, next_cursor } = (await ask('GET', path + cursor, undefined, user)).body
        found += items.length
        if (next_cursor === null) return found
        cursor = `&cursor=${encodeURIComponent(next_cursor)}`
      }
    },
    /** Returns the actions of the log, the oldest first. */
    entries: () => world.library.audit().map(({ action }) => action),
    /** Resolves with what `act` returns; the change waits for it after its first portion. */
    meanwhile<T>(change: Promise<unknown>, act: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        onPortion = () => {
          onPortion = () => {}
          return act().then(resolve, reject)
        }
        change.catch(reject)
      })
    },
    /** Sends a request that will wait for the change, and resolves when it has had time to arrive. */
    async waiting(request: Promise<Answer>): Promise<[Promise<Answer>]> {
      await ask('GET', '/users/me')
      await ask('GET', '/users/me')
      return [request]
    },
  })
}
