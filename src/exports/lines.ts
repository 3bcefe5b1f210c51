import { tokensOfFilter } from '../base/filter-tokens.ts'
import type { User } from '../base/user.ts'
import type { Db } from '../db/client.ts'
import { idIn, NONE } from '../files/find/facts.ts'
import { FILES_OF_LINE, type FilterToken, type WrittenLine } from './library-format.ts'
import {
  categoryLines,
  dismissalLines,
  fileLines,
  filesOfPool,
  nameOfId,
  numberOfPool,
  pairLines,
  poolLines,
  ruleLines,
  tagLines,
} from './line-queries.ts'
import { namedUsers, nameOfUser } from './people-queries.ts'

/** Yields the elements of `library.json` from a snapshot in which the files have their paths. */
export function* linesOf(db: Db, seer: User): Generator<WrittenLine> {
  yield { type: 'library', format: 1 }
  for (const name of namedUsers(db, seer)) yield { type: 'user', name }
  yield* each((after) => categoryLines(db, seer, after))
  yield* each((after) => tagLines(db, seer, after))
  yield* ruleLines(db)
  yield* each((after) => fileLines(db, seer, after))
  yield* each((after) => pairLines(db, after))
  yield* poolsOf(db, seer)
  let place = { one: 0, other: 0 }
  for (;;) {
    const found = dismissalLines(db, place)
    if (found.length === 0) return
    for (const { line } of found) yield line
    place = found.at(-1)!
  }
}

/** Yields lines that are read in stretches, each by the row number before it. */
function* each<Line>(read: (after: number) => { rid: number; line: Line }[]): Generator<Line> {
  for (let after = 0; ; ) {
    const found = read(after)
    if (found.length === 0) return
    for (const { line } of found) yield line
    after = found.at(-1)!.rid
  }
}

function* poolsOf(db: Db, seer: User): Generator<WrittenLine> {
  const all = each((after) =>
    poolLines(db, seer, after).map((pool) => ({ rid: pool.rid, line: pool })),
  )
  for (const { rid, filter, is_shared, line } of all) {
    if (filter !== null) {
      yield { ...line, filter: tokensOfFilter(filter).map((token) => namedToken(db, token)) }
      continue
    }
    yield line
    // What was put before the first file has a key below zero.
    for (let after = Number.MIN_SAFE_INTEGER; ; ) {
      const found = filesOfPool(db, rid, after, FILES_OF_LINE)
      if (found.length === 0) break
      const shared = found.filter((file) => is_shared && file.is_shared === 1)
      yield {
        type: 'pool_files',
        files: found.map(({ path }) => path),
        ...(shared.length > 0 && { shared: shared.map(({ path }) => path) }),
      }
      after = found.at(-1)!.order_key
    }
  }
}

/** Returns a token of a filter with the name in place of an id. */
function namedToken(db: Db, token: string): FilterToken {
  const value = token.slice(2)
  if (/^u=\d+$/.test(token)) return { user: nameOfUser(db, Number(value)) }
  const id = idIn(value)
  if (id === null || id === NONE) return token
  const hex = id.replaceAll('-', '')
  if (token.startsWith('t=')) return { tag: nameOfId(db, 'tag', hex) }
  if (token.startsWith('c=')) return { category: nameOfId(db, 'category', hex) }
  if (token.startsWith('p=')) return { pool: numberOfPool(db, hex) }
  return token
}
