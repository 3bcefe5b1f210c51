import { batch } from '@preact/signals'
import type { Schemas } from '../../client/index.ts'
import { allDone } from '../base/api.ts'
import { isForeign, untilBack } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import { changedElsewhere, floods, looks } from '../base/returning.ts'
import { accessToken, renew } from '../base/session.ts'
import { settled } from '../base/settled.ts'

type Changes = Schemas['FileChanges']

/** The lock of the window in front, among those of this browser. */
const LOCK = 'tagstead-changes'
/** Milliseconds between an answer and the next request: reading everything anew takes long. */
const PAUSE = { files: 500, many: 10_000 }
/** Milliseconds before another attempt, twice as many after each failure. */
const RETRY = { first: 5000, longest: 60_000 }

/**
 * Shows what changes in other windows, as long as this one is in front. Of several windows of this browser the last one
 * that came to the front waits for the server; one that is hidden doesn't. Returns what stops it.
 */
export function watchChanges(): () => void {
  let since: string | undefined
  let turn: AbortController | undefined

  const end = () => {
    turn?.abort()
    turn = undefined
  }
  const begin = () => {
    if (turn || document.visibilityState !== 'visible') return
    const own = new AbortController()
    turn = own
    const over = () => {
      own.abort()
      if (turn === own) turn = undefined
    }
    holdLock(() => follow(own.signal)).then(over, over)
  }
  const look = () => (document.visibilityState === 'visible' ? begin() : end())

  /** Ends with the signal, when another window waits instead, and when nobody is signed in. */
  async function follow(signal: AbortSignal): Promise<void> {
    let retry = RETRY.first
    while (!signal.aborted) {
      const { status, changes } = await wait(since, signal)
      if (status === 401 || status === 409) return
      // Of an earlier library: this one tells its place at once.
      if (status === 400) {
        since = undefined
        show('many')
      }
      if (!changes) {
        await pause(retry, signal)
        retry = Math.min(2 * retry, RETRY.longest)
        continue
      }
      retry = RETRY.first
      if (changes.files.length === 0) {
        since = changes.next
        continue
      }
      // What the user is changing here is shown already, and read again when it is done.
      await allDone()
      // The next request asks for them again then.
      if (signal.aborted) return
      since = changes.next
      show(changes.files)
      await pause(changes.files === 'many' ? PAUSE.many : PAUSE.files, signal)
    }
  }

  document.addEventListener('visibilitychange', look)
  addEventListener('focus', begin)
  begin()
  return () => {
    document.removeEventListener('visibilitychange', look)
    removeEventListener('focus', begin)
    end()
  }
}

/** Resolves when the work is done, and rejects when another window takes the lock. */
async function holdLock(work: () => Promise<void>): Promise<void> {
  // Pages without https have no locks. Then the server ends the request of the window that waited before.
  const { locks } = navigator as { locks?: LockManager }
  await (locks ? locks.request(LOCK, { steal: true }, work) : work())
}

/** Returns the server's answer; status 0 without one. */
async function wait(
  since: string | undefined,
  signal: AbortSignal,
): Promise<{ status: number; changes?: Changes }> {
  const query = since === undefined ? '' : `?since=${since}`
  try {
    let token = await accessToken()
    let response = await request(token)
    if (response.status === 401) {
      token = await renew(token)
      response = await request(token)
    }
    if (isForeign(response)) throw new Error('not from the server')
    const { status } = response
    return response.ok ? { status, changes: await response.json() } : { status }
  } catch (error) {
    if (error instanceof ApiError && error.status > 0) return { status: error.status }
    if (!signal.aborted) await untilBack()
    return { status: 0 }
  }

  // Not by `reach`, for which an answer that takes long is overdue.
  function request(token: string): Promise<Response> {
    const headers = { Authorization: `Bearer ${token}` }
    return fetch(`/api/v1/changes${query}`, { headers, signal, cache: 'no-store' })
  }
}

function show(files: Changes['files']): void {
  batch(() => {
    looks.value++
    if (files === 'many') floods.value++
    else {
      changedElsewhere.value = files
      settled.value++
    }
  })
}

/** Resolves after so many milliseconds, or when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const over = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', over)
  })
}
