import { timelineTime } from '../../../db/schema/files.ts'
import { and, type Sql } from '../../../db/sql.ts'
import type { Fact } from '../facts.ts'
import { f, indexed, plain, type Ways } from './ways.ts'

const DAY = 86_400_000
/** The time at which the last moment of what is known of a date ends, and the same by its own clock. */
const END = timelineTime(f)
const LOCAL_END = `${END} + ifnull(${f.content_offset}, 0) * 60000`
/** From the year 0 to 1970: added before a division, which would round the times before 1970 up. */
const YEAR_0 = 719_528 * DAY
const LOCAL_SECONDS = `((${LOCAL_END} + ${YEAR_0}) / 1000 - ${YEAR_0 / 1000})`
/** The years of which each has a part of the index to itself where the same days of all years are asked for. */
const YEARS = Array.from({ length: 300 }, (_, n) => 1801 + n)

type Kind = 'days' | 'yearly'

/** How the days are found on which files were taken, by the clock of each. */
export const DAYS: { [Of in Kind]: Ways<Fact & { of: Of }> } = {
  days: {
    sql: between,
    rows: ({ from, to }) => {
      // A clock is at most a day away from the index, which is in UTC.
      const ends = [
        ...(from === null ? [] : [{ sql: `${END} >= ?`, params: [from - DAY] }]),
        ...(to === null ? [] : [{ sql: `${END} < ?`, params: [to + DAY] }]),
      ]
      const isListed = plain(`${f.is_deleted} IN (0, 1)`)
      return {
        ...indexed('files_timeline', and([isListed, ...ends, between({ from, to })])),
        isOrdered: false,
      }
    },
    share: 0.2,
    weight: 2,
    readsRow: true,
  },
  yearly: {
    sql: onDay,
    rows: (trait) => {
      const from = {
        sql: 'json_each(?) j CROSS JOIN files f INDEXED BY files_timeline',
        params: [spansOf(trait)],
      }
      const where = and([
        plain(`${f.is_deleted} IN (0, 1) AND ${END} >= j.value ->> 0 AND ${END} < j.value ->> 1`),
        onDay(trait),
      ])
      return { from, where, column: f.rid, isOrdered: false }
    },
    share: 0.05,
    weight: 3,
    readsRow: true,
  },
}

// What is known of a month or a year begins at its first moment, and ends at its last.
function between({ from, to }: { from: number | null; to: number | null }): Sql {
  const begin = `unixepoch(${LOCAL_SECONDS}, 'unixepoch', 'start of ' || ${f.date_precision}) * 1000`
  const isPart = `${f.date_precision} IN ('month', 'year')`
  return and([
    ...(to === null ? [] : [{ sql: `${LOCAL_END} < ?`, params: [to] }]),
    ...(from === null
      ? []
      : [{ sql: `CASE WHEN ${isPart} THEN ${begin} ELSE ${LOCAL_END} END >= ?`, params: [from] }]),
  ])
}

function onDay({ month, day }: { month: number; day: number | null }): Sql {
  const two = (part: number) => String(part).padStart(2, '0')
  const unknown = day === null ? `('year')` : `('month', 'year')`
  const format = day === null ? '%m' : '%m-%d'
  return {
    sql: `(strftime('${format}', ${LOCAL_SECONDS}, 'unixepoch') = ?
      AND ifnull(${f.date_precision}, '') NOT IN ${unknown})`,
    params: [day === null ? two(month) : `${two(month)}-${two(day)}`],
  }
}

/** Returns the parts of the index in which a day or a month of any year lies, as pairs of their ends in JSON. */
function spansOf({ month, day }: { month: number; day: number | null }): string {
  const first = Date.UTC(YEARS[0]!, 0, 1)
  const end = Date.UTC(YEARS.at(-1)! + 1, 0, 1)
  const spans = YEARS.map((year) => {
    const from = Date.UTC(year, month - 1, day ?? 1)
    const to = day === null ? Date.UTC(year, month, 1) : from + DAY
    return [from - DAY, to + DAY]
  })
  const [before, after] = [spans[0]![0]!, spans.at(-1)![1]!]
  return JSON.stringify([
    [-Number.MAX_SAFE_INTEGER, Math.min(first, before)],
    ...spans,
    [Math.max(end, after), Number.MAX_SAFE_INTEGER],
  ])
}
