import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/** Those whose subject is SQL; the map names them. */
const ABOUT_SQL = [
  'audit/queries.ts',
  'duplicates/rescan/scan-rows.ts',
  'exports/line-queries.ts',
  'exports/people-queries.ts',
  'exports/snapshot-queries.ts',
  'files/created-queries.ts',
  'files/find/by-tags.ts',
  'files/find/hidden-tags.ts',
  'files/find/members.ts',
  'files/find/probe.ts',
  'files/find/sources.ts',
  'files/find/statement.ts',
  'files/find/traits.ts',
  'files/find/traits/days.ts',
  'files/find/traits/places.ts',
  'files/find/traits/ways.ts',
  'files/overview/cell-queries.ts',
  'files/overview/counts.ts',
  'files/overview/facet-queries.ts',
  'files/overview/map-queries.ts',
  'files/overview/this-day-queries.ts',
  'files/overview/timeline-queries.ts',
  'files/present-queries.ts',
  'files/sidecars/sidecar-queries.ts',
  'keep/check/content-queries.ts',
  'keep/check/counter-queries.ts',
  'keep/check/database-queries.ts',
  'keep/check/full-text-queries.ts',
  'keep/check/row-queries.ts',
  'pools/positions.ts',
  'pools/ranks.ts',
  'pools/sharing/news.ts',
  'pools/sharing/reach.ts',
  'pools/sharing/told.ts',
  'tags/cache.ts',
]
const STATEMENT =
  /\b(db|tx)\s*\.\s*(all|get|run|rows|first|execute|select|insert|update|delete|prepare)\s*[<(]/
const TEXT = /\b(db|tx)\s*\.\s*(all|get|run)\s*[<(]/

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('db/'))
  .sort()
const having = (pattern: RegExp, names: string[]) =>
  names.filter((name) => pattern.test(readFileSync(join('src', name), 'utf8')))

describe('statements', () => {
  it('stand in queries.ts, in *-queries.ts, and in the files whose subject is SQL', () => {
    const others = files.filter(
      (name) => !/(^|\/|-)queries\.ts$/.test(name) && !ABOUT_SQL.includes(name),
    )
    assert.deepEqual(having(STATEMENT, others), [])
  })

  it('are text in those files alone', () => {
    const built = files.filter((name) => !ABOUT_SQL.includes(name))
    assert.deepEqual(having(TEXT, built), [])
  })

  it('are found where they are known to stand', () => {
    assert.ok(having(STATEMENT, files).includes('auth/queries.ts'))
    assert.deepEqual(
      ABOUT_SQL.filter((name) => !readFileSync('docs/map.md', 'utf8').includes(name)),
      [],
    )
  })
})
