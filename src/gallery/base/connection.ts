import { signal } from '@preact/signals'
import { beBusy } from './busy.ts'
import { ApiError } from './error.ts'
import { hearVersion, isOutdated, ownScript } from './version.ts'

/** How long a request waits for the server to come back, in milliseconds. */
const PATIENCE = 30_000
/** Seconds between two attempts to find the server again. */
const PAUSE = 5

/** Seconds until the server is looked for again; null while it answers. */
export const lostFor = signal<number | null>(null)
/** Whether a page of another program came in place of its last answer. */
export const isReplaced = signal(false)

let timer: ReturnType<typeof setInterval> | undefined
const waiting = new Set<() => void>()

/**
 * Sends a request and returns the answer. While the server can't be reached it waits, up to 30
 * seconds, and then throws an ApiError `no_connection`. What may not be done twice, as most that a
 * POST does, isn't sent again when its answer is lost: it throws at once.
 */
export async function reach(
  request: Request,
  { isRepeatable = request.method !== 'POST' } = {},
): Promise<Response> {
  if (request.method === 'GET') return insist(request, isRepeatable)
  const release = beBusy()
  return insist(request, isRepeatable).finally(release)
}

async function insist(request: Request, isRepeatable: boolean): Promise<Response> {
  const end = Date.now() + PATIENCE
  for (;;) {
    if (lostFor.peek() !== null) await back(end, request.signal)
    const response = await attempt(request.clone())
    if (response) return response
    if (!isRepeatable) throw new ApiError(0, 'no_connection')
  }
}

/** Looks for the server at once. */
export async function tryNow(): Promise<void> {
  lostFor.value = PAUSE
  await lookForServer()
}

/** Finds out whether the server is there, for what went another way than `reach` and got lost. */
export async function lookForServer(): Promise<void> {
  await attempt(new Request('/health', { cache: 'no-store' }))
}

let comparing: Promise<boolean> | undefined

/**
 * Finds out whether the server has another build of the page, for a script that could not be loaded:
 * then it is gone, also when the version is the same. Returns whether it is known to have this one.
 */
export function compareBuilds(): Promise<boolean> {
  // What comes with one script, as several parts do, is lost with it.
  comparing ??= compare().finally(() => {
    comparing = undefined
  })
  return comparing
}

async function compare(): Promise<boolean> {
  const answer = await attempt(new Request('/', { cache: 'no-store' }))
  // The answer of any other program says nothing.
  if (!answer?.ok || !answer.headers.has('x-request-id')) return false
  const page = await answer.text().catch(() => null)
  if (page === null) return false
  const isSame = page.includes(ownScript())
  if (!isSame) isOutdated.value = true
  return isSame
}

/** Returns the answer, or null when it isn't the server's. */
async function attempt(request: Request): Promise<Response | null> {
  try {
    const response = await fetch(request)
    if (isForeign(response)) {
      lose(response.ok)
      return null
    }
    find()
    hearVersion(response)
    return response
  } catch (error) {
    if (request.signal.aborted) throw error
    lose()
    return null
  }
}

/**
 * Whether a proxy says that the server behind it is gone, or a network shows a page of its own, as
 * in hotels: each answer of ours has an id.
 */
export function isForeign({ status, ok, headers }: Response): boolean {
  if (headers.has('x-request-id')) return false
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return [502, 503, 504].includes(status) || (ok && isPage)
}

function lose(hasPage = false): void {
  lostFor.value = PAUSE
  isReplaced.value = hasPage
  timer ??= setInterval(() => {
    const left = lostFor.peek()! - 1
    if (left > 0) lostFor.value = left
    else void tryNow()
  }, 1000)
}

function find(): void {
  clearInterval(timer)
  timer = undefined
  lostFor.value = null
  for (const go of waiting) go()
  waiting.clear()
}

/** Resolves when the server is there again; throws at `end`, or when nobody wants it any more. */
function back(end: number, wanted: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => give(new ApiError(0, 'no_connection')), end - Date.now())
    const abort = () => give(wanted.reason)
    const done = () => {
      clearTimeout(late)
      wanted.removeEventListener('abort', abort)
      waiting.delete(go)
    }
    const go = () => {
      done()
      resolve()
    }
    const give = (reason: unknown) => {
      done()
      reject(reason)
    }
    wanted.addEventListener('abort', abort)
    waiting.add(go)
  })
}

/** Looks for a lost server at once when the device is woken or gets a network. */
export function watchConnection(): void {
  const look = () => {
    if (lostFor.peek() !== null && document.visibilityState === 'visible') void tryNow()
  }
  addEventListener('online', look)
  document.addEventListener('visibilitychange', look)
}
