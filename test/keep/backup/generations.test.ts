import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outdated } from '../../../src/keep/backup/generations.ts'
import { generationName, generationTime } from '../../../src/media/backup-folder.ts'

const at = (day: string, hour = 3) => generationName(Date.parse(`${day}T0${hour}:00:00.000Z`))
const DAY = 86_400_000
const madeAtNames = (names: string[]) =>
  names.map((name) => ({ name, at: new Date(generationTime(name)!), isDatabaseOnly: false }))

describe('the generations that are kept', () => {
  it('are the last of each of so many days, weeks and months', () => {
    // A Monday is the 2nd, 9th, 16th, 23rd and 30th of November 2026.
    const days = [
      '2026-09-30',
      '2026-10-15',
      '2026-10-31',
      '2026-11-08',
      '2026-11-15',
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
      '2026-11-24',
    ]
    const names = days.map((day) => at(day))
    const kept = (days: number, weeks: number, months: number) => {
      const old = new Set(outdated(madeAtNames(names), { days, weeks, months }))
      return names.filter((name) => !old.has(name)).map((name) => name.slice(0, 10))
    }
    assert.deepEqual(kept(2, 0, 0), ['2026-11-23', '2026-11-24'])
    assert.deepEqual(kept(0, 3, 0), ['2026-11-15', '2026-11-22', '2026-11-24'])
    assert.deepEqual(kept(0, 0, 3), ['2026-09-30', '2026-10-31', '2026-11-24'])
    assert.deepEqual(kept(1, 2, 2), ['2026-10-31', '2026-11-22', '2026-11-24'])
  })

  it('are with several of one day the last', () => {
    const names = [at('2026-11-24', 1), at('2026-11-24', 2), at('2026-11-24', 3)]
    assert.deepEqual(
      outdated(madeAtNames(names), { days: 7, weeks: 4, months: 12 }),
      names.slice(0, 2),
    )
  })

  it('have the newest among them, whatever is asked for', () => {
    const names = [at('2026-11-23'), at('2026-11-24')]
    assert.deepEqual(
      outdated(madeAtNames(names), { days: 0, weeks: 0, months: 0 }),
      names.slice(0, 1),
    )
  })

  it('have the newest among them by its name, although its clock was wrong', () => {
    const made = madeAtNames([at('2026-11-23'), at('2026-11-24'), at('2026-11-25')])
    made[2]!.at = new Date(0)
    assert.deepEqual(outdated(made, { days: 7, weeks: 4, months: 12 }), [])
    assert.deepEqual(outdated(made, { days: 0, weeks: 0, months: 0 }), [
      made[0]!.name,
      made[1]!.name,
    ])
  })

  it('are with the database alone counted apart from the others', () => {
    const made = madeAtNames([at('2026-11-23'), at('2026-11-24', 1), at('2026-11-24', 2)])
    made[2]!.isDatabaseOnly = true
    const kept = { days: 1, weeks: 0, months: 0 }
    assert.deepEqual(outdated(made, kept), [made[0]!.name])
  })

  it('are after a year of days by default 7, 4 and 12, of which some are the same', () => {
    const start = Date.parse('2025-11-25T03:00:00.000Z')
    const names = Array.from({ length: 365 }, (_, n) => generationName(start + n * DAY))
    const left = 365 - outdated(madeAtNames(names), { days: 7, weeks: 4, months: 12 }).length
    // The 18th to the 24th of November; Sundays 1st, 8th, 15th (22nd is one of the days); the ends of 11 months.
    assert.equal(left, 7 + 2 + 11)
  })
})

describe('the name of a generation', () => {
  it('is its moment, with no sign that a file system refuses', () => {
    const name = generationName(Date.UTC(2026, 10, 25, 18, 40, 1, 23))
    assert.equal(name, '2026-11-25T18-40-01.023Z')
    assert.equal(generationTime(name), '2026-11-25T18:40:01.023Z')
    for (const other of ['2026-11-25', 'x', '', '../2026-11-25T18-40-01.023Z']) {
      assert.equal(generationTime(other), null)
    }
  })
})
