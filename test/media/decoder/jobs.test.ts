import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createWaitingJobs,
  type Job,
  noTime,
  type Places,
  type Urgency,
} from '../../../src/media/decoder/jobs.ts'

const PLACES = { ofOne: 2, ofAll: 3 }

describe('waiting jobs', () => {
  let ids = 0
  const job = (by: number | null, urgency: Urgency): Job => ({
    id: ids++,
    request: { op: 'grey', rotation: 0, path: '' },
    by,
    urgency,
    isSecondTry: false,
    isSuspect: false,
    sentAt: 0,
    before: { cpu: 0, wall: 0 },
    hasBegunAgain: false,
    time: noTime(),
    timer: undefined,
    timedSince: 0,
    resolve: () => {},
    reject: () => {},
  })
  const jobs = (count: number, by: number | null, urgency: Urgency = 'upload') =>
    Array.from({ length: count }, () => job(by, urgency))
  const waiting = (...all: Job[][]) => waitingFor(PLACES, ...all)
  const waitingFor = (places: Places, ...all: Job[][]) => {
    const list = createWaitingJobs(places)
    for (const each of all.flat()) list.add(each)
    return list
  }
  /** Takes jobs as long as there are places. */
  const fill = (list: ReturnType<typeof waiting>, inFlight: Job[] = [], now = 0) => {
    for (let next = list.take(inFlight, now); next; next = list.take(inFlight, now)) {
      inFlight.push({ ...next, sentAt: now })
    }
    return inFlight
  }
  /** Takes all jobs, each one when the one before it has ended. */
  const inTurn = (list: ReturnType<typeof waiting>) => {
    const taken: Job[] = []
    for (let next = list.take([]); next; next = list.take([])) taken.push(next)
    return taken
  }
  const parties = (taken: Job[]) => taken.map(({ by }) => by)

  it('leave one place to others, however much a user has to do', () => {
    const list = waiting(jobs(9, 1))
    const inFlight = fill(list)
    assert.deepEqual(parties(inFlight), [1, 1])
    list.add(job(2, 'again'))
    assert.deepEqual(parties(fill(list, inFlight)), [1, 1, 2])
    list.add(job(3, 'upload'))
    assert.equal(fill(list, inFlight).length, 3)
  })

  it('leave one place to users, whatever is made again', () => {
    const list = waiting(jobs(9, null, 'again'))
    const inFlight = fill(list)
    assert.equal(inFlight.length, 2)
    list.add(job(1, 'view'))
    assert.deepEqual(parties(fill(list, inFlight)), [null, null, 1])
  })

  it('are taken from one user after the other', () => {
    const list = waiting(jobs(4, 1), jobs(2, 2), jobs(3, 3))
    assert.deepEqual(parties(inTurn(list)), [1, 2, 3, 1, 2, 3, 1, 3, 1])
  })

  it('go to the user who holds the fewest places', () => {
    const [first, second] = jobs(2, 1)
    const list = waiting(jobs(2, 1), jobs(2, 2))
    assert.equal(list.take([first!])?.by, 2)
    assert.equal(list.take([first!])?.by, 2)
    assert.equal(list.take([second!])?.by, 1)
  })

  it('are taken for uploads before those for eyes, and made again last', () => {
    const list = waiting(jobs(3, null, 'again'), jobs(3, 1, 'view'), jobs(3, 2, 'upload'))
    const urgencies = inTurn(list).map(({ urgency }) => urgency)
    const three = (urgency: Urgency) => [urgency, urgency, urgency]
    assert.deepEqual(urgencies, [...three('upload'), ...three('view'), ...three('again')])
  })

  it('never wait for ever', () => {
    const list = waiting(jobs(2, null, 'again'), jobs(2, 1, 'view'), jobs(40, 2, 'upload'))
    const taken = inTurn(list)
    const places = (urgency: Urgency) =>
      taken.flatMap((each, place) => (each.urgency === urgency ? [place] : []))
    assert.deepEqual(places('view'), [8, 18])
    assert.deepEqual(places('again'), [9, 19])
  })

  it('are taken first, and beside all others, for what an answer waits for', () => {
    const list = waitingFor({ ...PLACES, ofAnswers: 2 }, jobs(3, 1), jobs(3, 2))
    const inFlight = fill(list)
    assert.equal(inFlight.length, 3)
    for (const answer of [...jobs(3, 3, 'answer'), ...jobs(2, 1, 'answer')]) list.add(answer)
    assert.deepEqual(parties(fill(list, inFlight).slice(3)), [3, 1])
    assert.equal(list.take(inFlight.slice(0, 4))?.urgency, 'answer')
    const alone = waiting(jobs(2, 1), jobs(2, 2, 'answer'))
    assert.deepEqual(parties(inTurn(alone)), [2, 2, 1, 1])
  })

  it('take the places of others, too, where their own are held by what takes long', () => {
    const answers = [1, 1, 2, 3].flatMap((by) => jobs(1, by, 'answer'))
    const list = waitingFor({ ...PLACES, ofAnswers: 2 }, answers)
    assert.deepEqual(parties(fill(list)).sort(), [1, 1, 2, 3])
  })

  it('get one more place where others keep theirs for long, for each who has none', () => {
    const list = waitingFor({ ...PLACES, ofLate: 2 }, jobs(9, 1), jobs(9, 2))
    const inFlight = fill(list)
    assert.deepEqual(parties(inFlight), [1, 2, 1])
    for (const by of [3, 4, 5]) list.add(job(by, 'upload'))
    assert.deepEqual(parties(fill(list, inFlight, 1999)), [1, 2, 1])
    assert.deepEqual(parties(fill(list, inFlight, 2000)), [1, 2, 1, 3, 4])
    assert.deepEqual(parties(fill(list, inFlight, 9000)), [1, 2, 1, 3, 4])
  })
})
