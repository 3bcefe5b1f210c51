import { signal } from '@preact/signals'
import { type Answer, createClient } from '../../client/index.ts'
import { reach } from './connection.ts'
import { errorOf } from './error.ts'
import { accessToken, renew } from './session.ts'

/**
 * The API. A request waits while there is no connection, and for the password when the session has
 * ended; see `ask`.
 */
export const api = createClient({ baseUrl: location.origin, token: accessToken, fetch: send })

/** Returns the data of a call of `api`, or throws an ApiError. */
export async function ask<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  return (await answerOf(call)).data
}

interface Done<Data> {
  data: Data
  operation: number | null
}

/** How many changes the server has answered. */
export const answered = signal(0)

/** Changes that were requested and not yet reported. */
const underWay = new Set<Promise<unknown>>()

/**
 * Returns the data of a call of `api` that changes something, with the number of the operation, which
 * can be undone, or null if nothing was changed. Throws an ApiError.
 */
export async function act<Data>(call: Promise<Answer<Data>>): Promise<Done<Data>> {
  const done = await asOneChange(answerOf(call))
  answered.value++
  return done
}

/**
 * Returns the result of `work`. Until that ends it counts as one change, and its changes are reported
 * only then.
 */
export async function asOneChange<Result>(work: Promise<Result>): Promise<Result> {
  underWay.add(work)
  try {
    return await work
  } finally {
    underWay.delete(work)
  }
}

/** Resolves when no change is under way and all callers have received their results. */
export async function allDone(): Promise<void> {
  while (underWay.size > 0) {
    await Promise.allSettled([...underWay])
    // A caller may then request further changes.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

async function answerOf<Data>(call: Promise<Answer<Data>>): Promise<Done<Data>> {
  const { data, error, response } = await call
  if (!response.ok) throw errorOf(response, error)
  const operation = response.headers.get('operation')
  return { data: data as Data, operation: operation === null ? null : Number(operation) }
}

/** Sends a request; if its token is refused, once more with another one. */
async function send(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await reach(request)
  if (response.status !== 401) return response
  const refused = request.headers.get('authorization')?.slice('Bearer '.length)
  again.headers.set('Authorization', `Bearer ${await renew(refused)}`)
  return reach(again)
}
