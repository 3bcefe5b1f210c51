import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { signIn } from '../upload.ts'
import { callWith } from '../worlds/api.ts'
import { BUSY } from '../worlds/client.ts'
import type { Call } from '../worlds/steps.ts'
import { count } from './count.ts'

/** How long somebody waits who was refused, in milliseconds: less than is asked for, or nobody would press. */
const PAUSE = 100

/** Where a server is, and the password of everybody there. */
export interface Address {
  url: string
  adminPassword: string
}

/** Somebody who asks a server, and notes how it answers. */
export interface Asking {
  call: Call
  /** Reads a path as somebody does who wants a part, or may hang up. */
  get(path: string, init?: Pick<RequestInit, 'headers' | 'signal'>): Promise<Response>
  token: string
}

/**
 * Returns somebody who has signed in, and counts the statuses of all answers. One of 500 or more is a failure, as is a
 * refusal that doesn't tell when to come again.
 */
export async function askAs(
  server: Address,
  name: string,
  statuses: Map<number, number>,
): Promise<Asking> {
  const judged = async (what: string, asked: Promise<Response>): Promise<Response> => {
    const response = await asked
    const { status, headers } = response
    count(statuses, status)
    if (BUSY.includes(status)) {
      assert.match(headers.get('Retry-After') ?? '', /^\d+$/, `${what}: ${status}`)
      await setTimeout(PAUSE)
    } else if (status >= 500) assert.fail(`${what}: ${status} ${await response.text()}`)
    return response
  }
  const token = await signIn(server, name)
  const call = callWith(server, token)
  return {
    token,
    call: (method, path, body) => judged(`${method} ${path}`, call(method, path, body)),
    get: (path, init = {}) => {
      const headers = { Authorization: `Bearer ${token}`, ...init.headers }
      return judged(`GET ${path}`, fetch(`${server.url}/api/v1${path}`, { ...init, headers }))
    },
  }
}
