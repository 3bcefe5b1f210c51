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

export type Recorded = Awaited<ReturnType<typeof openRecorded>>

/** Opens a library that has an admin and tells in which ways it looks for files. */
export async function openRecorded() {
  const library = await openLibrary()
  const tokens: Record<string, string> = {
    root: (await library.join('Root', { is_admin: true })).token,
  }
  let statements: string[] = []
  let passed = 0
  const { db } = library.deps
  let connections = 0
  // What is kept of files belongs to a connection.
  const connect = () => {
    const connection = ++connections
    const recorded = <T>(run: (sql: string, ...params: never[]) => T) =>
      ((sql: string, ...params: never[]) => {
        // A server from before may still read for those who ask next.
        if (connection === connections) {
          statements.push(sql)
          passed += passedBy(sql, params)
        }
        return run(sql, ...params)
      }) as never
    return { ...db, all: recorded(db.all), get: recorded(db.get) }
  }
  const serve = (its: typeof db) => ({ db: its, app: createApp({ ...library.deps, db: its }) })
  let server = serve(connect())

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
    /** Goes on as a server that has just started, which keeps nothing; returns its connection. */
    restart: () => {
      server = serve(connect())
      return server.db
    },
    everything: (viewer: string, sort = 'created', order = 'desc') =>
      walk(viewer, { sort, order, limit: 200 }),
    /** Returns the ways in which files were looked for since the last call. */
    takeWays: () => {
      const ways = waysOf(statements)
      statements = []
      return ways
    },
    /** Returns how many files walks along an index may have passed since the last call. */
    takePassed: () => {
      const all = passed
      passed = 0
      return all
    },
  }
}

/** Returns the ways that the statements show, in the order in which they were first taken. */
function waysOf(statements: string[]): string {
  const ways: string[] = []
  for (const sql of statements) {
    if (/files_version, \S+ FROM tags/.test(sql)) ways.push('sets')
    else if (/f\.rid <= \? AND instr|files_fts MATCH/.test(sql)) {
      ways.push('search')
    } else if (/SELECT file_rid AS rid FROM file_tags WHERE tag_rid = \?\) s/.test(sql)) {
      ways.push('drive')
    } else if (sql.includes('.key FROM (SELECT f.rid, f.id')) ways.push('walk')
  }
  return [...new Set(ways)].join(', ') || 'empty'
}

/** Returns the inner limit of a statement that walks along an index, which bounds what it passes. */
function passedBy(sql: string, params: unknown[]): number {
  const [before] = /^.*?INDEXED BY.*? LIMIT (?=\?)/.exec(sql) ?? []
  return before ? Number(params[before.split('?').length - 1]) : 0
}
