import { signal } from '@preact/signals'
import { beBusy } from './busy.ts'
import { ApiError } from './error.ts'

/** Whether the server's version differs from the one that made this page. */
export const isOutdated = signal(false)

/** Records the version that an answer comes from. */
function hearVersion(response: Response): void {
  const version = response.headers.get('tagstead-version')
  if (version !== null && version !== ownVersion()) isOutdated.value = true
}

/** Returns the path of this page's script, which differs in each build of a version. */
export function ownScript(): string {
  // A browser extension may have added scripts of its own.
  return document.querySelector('script[src^="/web/assets/"]')!.getAttribute('src')!
}

/** Returns the version that made this page. */
export function ownVersion(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=version]')!.content
}

/** How long a request waits for the server to come back, in milliseconds. */
const PATIENCE = 30_000
/** Milliseconds between two attempts to reach the server again. */
const PAUSE = 1000
/** How long such an attempt may take, in milliseconds. */
const LONGEST = 4000
/** Milliseconds after which an answer is overdue. */
const MOMENT = 1000

/** Whether the server can't be reached. */
export const isLost = signal(false)
/** Whether another program's page came instead of the server's last answer. */
export const isReplaced = signal(false)
/** How many answers are overdue. */
export const overdue = signal(0)

let timer: ReturnType<typeof setInterval> | undefined
const waiting = new Set<() => void>()

/**
 * Sends a request and returns the answer. While the server can't be reached it waits, up to 30 seconds,
 * and then throws an ApiError `no_connection`. A request that must not be repeated, such as most POSTs,
 * isn't sent again when its answer is lost: it throws at once.
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
    if (isLost.peek()) await back(end, request.signal)
    const response = await attempt(request.clone())
    if (response) return response
    if (!isRepeatable) throw new ApiError(0, 'no_connection')
  }
}

/** Checks whether the server is there, after a request that didn't use `reach` was lost. */
export async function lookForServer(): Promise<void> {
  const signal = AbortSignal.timeout(LONGEST)
  await attempt(new Request('/health', { cache: 'no-store', signal }), true)
}

/** Resolves when the server answers; returns whether it was lost until then. */
export async function untilBack(): Promise<boolean> {
  if (!isLost.peek()) await lookForServer()
  if (!isLost.peek()) return false
  await new Promise<void>((go) => waiting.add(go))
  return true
}

let comparing: Promise<boolean> | undefined

/**
 * Checks whether the server has another build of the page, after a script failed to load: another build
 * lacks the script even if the version is the same. Returns true only if the build is known to be the
 * same.
 */
export function compareBuilds(): Promise<boolean> {
  // Several parts that come with one script fail together.
  comparing ??= compare().finally(() => {
    comparing = undefined
  })
  return comparing
}

async function compare(): Promise<boolean> {
  const answer = await attempt(new Request('/', { cache: 'no-store' }))
  // Another program's answer says nothing about the build.
  if (!answer?.ok || !answer.headers.has('x-request-id')) return false
  const page = await answer.text().catch(() => null)
  if (page === null) return false
  const isSame = page.includes(ownScript())
  if (!isSame) isOutdated.value = true
  return isSame
}

/** Returns the answer; null if it isn't the server's. */
async function attempt(request: Request, isProbe = false): Promise<Response | null> {
  const wasLost = isLost.peek()
  let late = 0
  const timer = setTimeout(() => {
    overdue.value += late = 1
  }, MOMENT)
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
    if (request.signal.aborted && !isProbe) throw error
    // Another attempt may have found it meanwhile.
    if (!wasLost) lose()
    return null
  } finally {
    clearTimeout(timer)
    overdue.value -= late
  }
}

/**
 * Whether a proxy reports that the server behind it is gone, or a network shows a page of its own, as
 * in hotels: each of our answers has an id.
 */
export function isForeign({ status, ok, headers }: Response): boolean {
  if (headers.has('x-request-id')) return false
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return [502, 503, 504].includes(status) || (ok && isPage)
}

function lose(hasPage = false): void {
  isLost.value = true
  isReplaced.value = hasPage
  timer ??= setInterval(() => void lookForServer(), PAUSE)
}

function find(): void {
  clearInterval(timer)
  timer = undefined
  isLost.value = false
  for (const go of waiting) go()
  waiting.clear()
}

/** Throws at `end`, or when `wanted` is aborted. */
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

/** Tries to reach a lost server at once when the device wakes up or gets a network. */
export function watchConnection(): void {
  const look = () => {
    if (isLost.peek() && document.visibilityState === 'visible') void lookForServer()
  }
  addEventListener('online', look)
  document.addEventListener('visibilitychange', look)
}
