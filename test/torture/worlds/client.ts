import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../../src/db/client.ts'
import { createRandom } from './random.ts'
import { ALL_KINDS, type Call, plan, type Scene, type Step, type StepKind } from './steps.ts'
import { EMPTY, observe, oneOf, type World } from './world.ts'

interface ClientOptions {
  /** The beginning of all names that it gives. */
  prefix: string
  seed: number
  kinds?: StepKind[]
  /** How many files a step changes at most. */
  most?: number
  /** How many bytes follow a picture at most. */
  tail?: number
  /** Statuses with which a busy server refuses a step that nothing is wrong with; nothing has changed then. */
  refusals?: readonly number[]
  /** Is told of each change once it is acknowledged. */
  onAcknowledged?: (change: AcknowledgedChange) => void
}

/** A change of the library, and the worlds around it. */
export interface AcknowledgedChange {
  /** The number of its operation; null when it has none. */
  operation: number | null
  /** When it was sent, by `performance.now()`. */
  begun: number
  before: World
  after: World
}

/** Somebody who changes a part of the library that nobody else changes, and knows how it has to be. */
export interface Client {
  prefix: string
  /** As far as it was acknowledged. */
  world: World
  /** The step whose answer hasn't come. */
  underWay: Step | null
  /** How many steps of each kind were acknowledged. */
  counts: Map<string, number>
  /** Sends one step, of a kind if it is named; returns its status, or null when the server is gone. */
  step(call: Call, kind?: StepKind): Promise<number | null>
  /**
   * Sends one step after another, `pause` milliseconds after each answer, until the server is gone or `signal` is
   * aborted.
   */
  work(call: Call, signal?: AbortSignal, pause?: number): Promise<void>
  /** Takes the library's world, as it is before the first step. */
  adopt(db: Db): void
  /**
   * Throws unless the library has the world as it was acknowledged, or as the step under way would have made it, which
   * is what the client goes on with. Returns whether it is the latter.
   */
  compare(db: Db): boolean
}

/** What may be answered by a server that is busy. */
export const BUSY: readonly number[] = [429, 503]

export function createClient(options: ClientOptions): Client {
  const { prefix, seed, kinds = ALL_KINDS, most = 8, tail = 2 ** 17 } = options
  const { refusals = BUSY, onAcknowledged } = options
  const ids = new Map<string, string>()
  const random = createRandom(seed)
  let names = 0
  const newName = (what: string) => `${prefix}-${what}-${++names}`
  let last: Scene['last'] = null

  const choose = async (wanted?: StepKind): Promise<Step> => {
    for (let tries = 0; tries < 1000; tries++) {
      const scene = { world: client.world, ids, random, newName, last, most, tail }
      const step = await plan(wanted ?? random.pick(kinds), scene)
      if (step) return step
    }
    throw new Error(`${prefix} has nothing to do`)
  }

  const client: Client = {
    prefix,
    world: EMPTY,
    underWay: null,
    counts: new Map(),
    async step(call, kind) {
      const step = await choose(kind)
      client.underWay = step
      const begun = performance.now()
      let response: Response
      let text: string
      try {
        response = await step.send(call)
        text = await response.text()
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        return null
      }
      const { status } = response
      if (!response.ok) {
        // What isn't acknowledged may still be there when the server had an error of its own.
        if (status < 500) client.underWay = null
        assert.ok(status >= 500 || refusals.includes(status), `${step.kind}: ${status} ${text}`)
        return status
      }
      if (step.makes) ids.set(step.makes, JSON.parse(text).id)
      const operation = response.headers.get('Operation')
      const before = client.world
      last = step.isUndoable && operation ? { operation, before } : null
      client.world = step.next
      client.underWay = null
      client.counts.set(step.kind, (client.counts.get(step.kind) ?? 0) + 1)
      const number = operation === null ? null : Number(operation)
      onAcknowledged?.({ operation: number, begun, before, after: step.next })
      return status
    },
    async work(call, signal, pause = 0) {
      while (!signal?.aborted) {
        const status = await client.step(call)
        if (status === null) return
        assert.ok(status < 500 || refusals.includes(status), `${prefix}: ${status}`)
        client.underWay = null
        if (pause > 0) await setTimeout(pause)
      }
    },
    adopt(db) {
      client.world = observe(db, prefix, ids)
    },
    compare(db) {
      const { underWay, world } = client
      client.underWay = null
      client.world = oneOf(observe(db, prefix, ids), { prefix, world, underWay })
      if (client.world === world) return false
      last = null
      return true
    },
  }
  return client
}
