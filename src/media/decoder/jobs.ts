import type { Outcome } from '../outcome.ts'
import type { Request } from './request.ts'

/** A request to the child, and how its outcome is passed on. */
export interface Job {
  id: number
  request: Request
  /** The user who waits for it, or null when nobody does: such jobs count as one party. */
  by: number | null
  urgency: Urgency
  isSecondTry: boolean
  /** Set when the job was in flight while a child died: it is tried once more, alone in a child. */
  isSuspect: boolean
  /** When a child got it, by `performance.now()`. */
  sentAt: number
  /** What its file had taken until then. */
  before: Pick<FileTime, 'cpu' | 'wall'>
  /** Set when its child was ended for another job, and it has begun again. */
  hasBegunAgain: boolean
  time: FileTime
  timer: NodeJS.Timeout | undefined
  /** When the timer was started, by `performance.now()`. */
  timedSince: number
  resolve: (outcome: Outcome) => void
  reject: (error: Error) => void
}

/** What all jobs for one file have taken together, and may take; in milliseconds. */
export interface FileTime {
  /** Of processor time. */
  limit: number
  cpu: number
  /** Of clock time, without waiting. */
  wall: number
}

/** Returns the time of a file for which no job has been done. */
export function noTime(): FileTime {
  return { limit: 0, cpu: 0, wall: 0 }
}

/**
 * What waits for a job: the answer to an upload, however long that takes; an upload, for as long as its answer can wait
 * for a picture; a user who looks; or nobody, since it is made again.
 */
export type Urgency = (typeof URGENCIES)[number]

/** The jobs that wait for the child. */
export interface WaitingJobs {
  add(job: Job): void
  /**
   * Returns the next job for a child with these in flight, or undefined when it gets none now: that may change with
   * time.
   */
  take(inFlight: Job[], now?: number): Job | undefined
  /** Removes all jobs and returns them. */
  takeAll(): Job[]
  count(): number
  /** Returns how many jobs wait without an upload that waits for them. */
  previews(): number
}

// The most urgent first.
const URGENCIES = ['answer', 'upload', 'view', 'again'] as const

// After this many more urgent jobs, a less urgent one has its turn.
const PATIENCE = 8

/** How many jobs may be in flight. */
export interface Places {
  /** Of one party. */
  ofOne: number
  ofAll: number
  /** Additional places for what an answer waits for, which takes the others when its own are in use. */
  ofAnswers?: number
  /** Additional places for parties that have none, when others occupy theirs for long. */
  ofLate?: number
}

// Milliseconds that a job may have a place before others get one more.
const LONG = 2000

/**
 * Returns the waiting jobs, at first none. If a party may have all places but one, nobody has to wait for a single
 * party with much to do, nor for several parties whose jobs take long. Less urgent jobs wait for more urgent ones, but
 * not for ever.
 */
export function createWaitingJobs(places: Places): WaitingJobs {
  const { ofOne, ofAll, ofAnswers = 0, ofLate = 0 } = places
  const lines = URGENCIES.map(() => ({ ...createLine(), passedOver: 0 }))
  const [answers] = lines as [(typeof lines)[0]]

  const takeAnswer = (inFlight: Job[]) => {
    if (inFlight.length >= ofAnswers) return undefined
    return answers.take((party) => {
      const held = heldBy(party, inFlight)
      return held < Math.max(1, ofAnswers - 1) ? held : null
    })
  }
  const takeCommon = (inFlight: Job[], now: number) => {
    const isFull = inFlight.length >= ofAll
    const short = inFlight.filter(({ sentAt }) => now - sentAt < LONG).length
    if (isFull && (short >= ofAll || inFlight.length >= ofAll + ofLate)) return undefined
    const most = isFull ? 1 : ofOne
    const impatient = lines.filter(({ passedOver }) => passedOver >= PATIENCE)
    for (const line of [...impatient, ...lines]) {
      const job = line.take((party) => {
        const held = heldBy(party, inFlight)
        return held < most ? held : null
      })
      if (job === undefined) continue
      line.passedOver = 0
      for (const lower of lines.slice(lines.indexOf(line) + 1)) {
        if (lower.count() > 0) lower.passedOver++
      }
      return job
    }
    return undefined
  }
  const sum = (counted: Line[]) => counted.reduce((total, line) => total + line.count(), 0)
  return {
    add: (job) => lines[URGENCIES.indexOf(job.urgency)]!.add(job),
    take(inFlight, now = performance.now()) {
      const read = inFlight.filter(({ urgency }) => urgency === 'answer')
      const answer = takeAnswer(read)
      if (answer) return answer
      const own = new Set(read.slice(0, ofAnswers))
      const others = inFlight.filter((job) => !own.has(job))
      return takeCommon(others, now)
    },
    takeAll: () => lines.flatMap((line) => line.takeAll()),
    count: () => sum(lines),
    previews: () => sum(lines.slice(URGENCIES.indexOf('view'))),
  }
}

function heldBy(party: number | null, inFlight: Job[]): number {
  return inFlight.filter(({ by }) => by === party).length
}

interface Line {
  add(job: Job): void
  /**
   * Returns the first job of the party that holds the fewest places, and among those the one that was served the
   * longest time ago; `held` returns null for a party that gets no more.
   */
  take(held: (party: number | null) => number | null): Job | undefined
  takeAll(): Job[]
  count(): number
}

function createLine(): Line {
  // The party whose turn it is comes first.
  const parties = new Map<number | null, Job[]>()
  let count = 0
  return {
    add(job) {
      const jobs = parties.get(job.by)
      if (jobs) jobs.push(job)
      else parties.set(job.by, [job])
      count++
    },
    take(held) {
      let next: { party: number | null; places: number } | undefined
      for (const party of parties.keys()) {
        const places = held(party)
        if (places !== null && (!next || places < next.places)) next = { party, places }
      }
      if (next === undefined) return undefined
      const { party } = next
      const jobs = parties.get(party)!
      const job = jobs.shift()!
      parties.delete(party)
      if (jobs.length > 0) parties.set(party, jobs)
      count--
      return job
    },
    takeAll() {
      const all = [...parties.values()].flat()
      parties.clear()
      count = 0
      return all
    },
    count: () => count,
  }
}
