import assert from 'node:assert/strict'
import type { CellPage, FileIdPage, Timeline } from '../../src/files/overview/schema.ts'
import { queryText } from './file-rows.ts'
import type { Library } from './harness.ts'

const COLUMNS = ['t', 'r', 'k', 'f', 'd', 'v'] as const

/** One file as the cells show it. */
export interface Cell {
  id: string
  t: number
  r: number
}

/** Returns what walks through lists of files for people, whose tokens are by name. */
export function setWalks(library: Library, tokens: Record<string, string>) {
  /** Returns an answer of 200. */
  async function got<Body>(who: string, path: string, query: Record<string, string | number>) {
    const answer = await library.call('GET', `${path}?${queryText(query)}`, { token: tokens[who]! })
    assert.equal(answer.status, 200, `${path} ${JSON.stringify(query)}: ${answer.text}`)
    return answer.body as Body
  }

  /** Walks through the cells of a list, and checks that the columns are as long as each other. */
  async function walkCells(who: string, query: Record<string, string | number>): Promise<Cell[]> {
    const cells: Cell[] = []
    const backward = query.direction === 'backward'
    let cursor: string | null = null
    do {
      const page: CellPage = await got(who, '/files/cells', { ...query, ...(cursor && { cursor }) })
      for (const column of COLUMNS) assert.equal(page[column].length, page.ids.length, column)
      const shown = page.ids.map((id, n) => ({ id, t: page.t[n]!, r: page.r[n]! }))
      if (backward) cells.unshift(...shown)
      else cells.push(...shown)
      cursor = backward ? page.prev_cursor : page.next_cursor
    } while (cursor)
    return cells
  }

  /** Returns the ids that GET /files/ids pages through, and the totals that it tells. */
  async function walkIds(who: string, query: Record<string, string | number>) {
    const ids: string[] = []
    const totals = new Set<number>()
    let cursor: string | null = null
    do {
      const page: FileIdPage = await got(who, '/files/ids', { ...query, ...(cursor && { cursor }) })
      ids.push(...page.ids)
      totals.add(page.total)
      cursor = page.next_cursor
    } while (cursor)
    return { ids, totals: [...totals] }
  }

  /** Returns the ids that a list of files pages through. */
  async function walkFiles(who: string, path: string, query: Record<string, string | number>) {
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = await got(who, path, {
        limit: 200,
        ...query,
        ...(cursor && { cursor }),
      })
      ids.push(...page.items.map((file) => file.id))
      cursor = page.next_cursor
    } while (cursor)
    return ids
  }

  /** Checks that a timeline shows the cells, which are all of the list. */
  async function checkTimeline(who: string, query: Record<string, string | number>, cells: Cell[]) {
    const timeline: Timeline = await got(who, '/files/timeline', query)
    const months = query.sort === 'created' ? runsOf(cells) : monthsOf(cells)
    if (query.sort !== 'created') {
      months.sort((a, b) => (a.key < b.key ? -1 : 1))
      if (query.order === 'desc') months.reverse()
    }
    assert.deepEqual(
      timeline.buckets.map(({ key, part, count }) => ({ key, part, count })),
      months.map(({ key, part, cells }) => ({ key, part, count: cells.length })),
    )
    assert.equal(timeline.total, cells.length)
    let before = 0
    for (const [n, { key, ratio, cursor, count }] of timeline.buckets.entries()) {
      const shown = months[n]!.cells
      const sum = shown.reduce((sum, { r }) => sum + (r === 0 ? 4 / 3 : r / 100), 0)
      assert.ok(Math.abs(ratio - sum) < 0.01, `${key}: ${ratio} for ${sum}`)
      const { sort: _, order: __, ...rest } = query
      const from: CellPage = await got(who, '/files/cells', { ...rest, cursor, limit: 1 })
      // Months of several zones take turns, and each file is in one bucket all the same.
      assert.deepEqual(from.ids, [cells[before]!.id], key)
      before += count
    }
  }

  return { got, walkCells, walkIds, walkFiles, checkTimeline }
}

/** What a timeline must show of these cells, all of a list. */
function monthsOf(cells: Cell[]): Month[] {
  const keys = [...new Set(cells.map(monthOf))]
  return keys.map((key) => ({ key, part: 0, cells: cells.filter((cell) => monthOf(cell) === key) }))
}

/** The same in the order of creation, where files of a month stand apart if their clock was wrong. */
function runsOf(cells: Cell[]): Month[] {
  const runs: Month[] = []
  for (const cell of cells) {
    const key = monthOf(cell)
    if (runs.at(-1)?.key === key) runs.at(-1)!.cells.push(cell)
    else runs.push({ key, part: runs.filter((run) => run.key === key).length, cells: [cell] })
  }
  return runs
}

interface Month {
  key: string
  part: number
  cells: Cell[]
}

const monthOf = (cell: Cell) => new Date(cell.t * 1000).toISOString().slice(0, 7)
