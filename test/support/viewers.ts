import assert from 'node:assert/strict'
import { createApp } from '../../src/app.ts'
import type { FileCursorPage } from '../../src/files/schema.ts'
import { checked } from './contract/checked.ts'
import { queryText } from './file-rows.ts'
import { openLibrary } from './harness.ts'

/** What an answer holds when it is a page, and when it is an error. */
interface Body extends FileCursorPage {
  code: string
  details: { field: string; message: string }[]
}

export type Viewers = Awaited<ReturnType<typeof openViewers>>

/** Opens a library that has an admin, `root`, and lists its files as those do whose tokens are added. */
export async function openViewers() {
  const library = await openLibrary()
  const tokens: Record<string, string> = {
    root: (await library.join('Root', { is_admin: true })).token,
  }
  let server = { db: library.deps.db, app: createApp(library.deps) }

  async function list(viewer: string, query: Record<string, string | number>) {
    const headers = { Authorization: `Bearer ${tokens[viewer]}` }
    const path = `/api/v1/files?${queryText(query)}`
    const response = await server.app.request(path, { headers })
    const answer = await checked(library.contract, { method: 'GET', path }, response)
    return { status: answer.status, body: (await answer.json()) as Body }
  }

  /** Walks a list page by page, by its cursors. */
  async function walk(viewer: string, query: Record<string, string | number>) {
    const files: FileCursorPage['items'] = []
    const backward = query.direction === 'backward'
    let cursor: string | null = null
    do {
      const at: Record<string, string> = cursor === null ? {} : { cursor }
      const { status, body } = await list(viewer, { ...query, ...at })
      assert.equal(status, 200, JSON.stringify(body))
      if (backward) files.unshift(...body.items)
      else files.push(...body.items)
      cursor = backward ? body.prev_cursor : body.next_cursor
    } while (cursor !== null)
    return files
  }

  return {
    library,
    tokens,
    list,
    walk,
    /** Goes on as a server that has just started, which keeps nothing of files; returns its connection. */
    restart: () => {
      // What is kept belongs to a connection.
      const db = { ...library.deps.db }
      server = { db, app: createApp({ ...library.deps, db }) }
      return db
    },
    everything: (viewer: string, sort = 'created', order = 'desc') =>
      walk(viewer, { sort, order, limit: 200 }),
  }
}
