import { signal } from '@preact/signals'
import type { Schemas } from '../../../client/index.ts'
import { reach } from './connection.ts'
import { ApiError, errorOf } from './error.ts'

/** Who is signed in, and the part of the path under which their pictures are. */
interface Session {
  user: Schemas['User']
  k: string
}

/** The server's answer to signing in and to refreshing. */
interface Admitted {
  access_token: string
  /** Seconds. */
  expires_in: number
  user: Schemas['User']
  media: string
}

/** Who is signed in; null before `resume`, and when nobody is. */
export const session = signal<Session | null>(null)
/** Whether it is known who is signed in, if anybody is. */
export const isResumed = signal(false)
/** Whether the session has ended, and its user is asked for the password in place. */
export const isPasswordWanted = signal(false)

/** A token is renewed so long before it ends, in milliseconds. */
const MARGIN = 30_000

let token: { value: string; ends: number } | null = null
let renewing: Promise<string> | undefined
/** What waits for the password, when it is wanted. */
let asked: { resolve(token: string): void; reject(error: ApiError): void } | undefined

const others = new BroadcastChannel('tagstead-session')

/** Takes the session up that this browser has, if it has one; throws as `reach` does. */
export async function resume(): Promise<void> {
  try {
    const response = await post('refresh')
    if (response.ok) admit(await response.json())
  } finally {
    isResumed.value = true
  }
  others.onmessage = ({ data }) => void hear(data as number | null)
}

/** Signs in; throws an ApiError, for example of status 401, or 429 with `retryAfter`. */
export async function signIn(name: string, password: string): Promise<void> {
  const response = await post('', { name, password })
  if (!response.ok) throw await failed(response)
  const admitted = (await response.json()) as Admitted
  others.postMessage(admitted.user.id)
  // Whatever the page holds of somebody else goes.
  if (session.peek() && session.peek()!.user.id !== admitted.user.id) return startAnew()
  admit(admitted)
}

/** Ends the session, in all tabs of this browser. */
export async function signOut(): Promise<void> {
  await reach(new Request('/web/session', { method: 'DELETE', headers: HEADERS }))
  others.postMessage(null)
  startAnew()
}

/** Returns a token that is good for a while; asks for the password when there is none to be had. */
export async function accessToken(): Promise<string> {
  if (token && token.ends - MARGIN > Date.now()) return token.value
  return renew(token?.value)
}

/**
 * Returns another token than the one that was refused: by the session's cookie, or, when that has
 * ended, once the password was given. Throws an ApiError 401 when nobody is signed in.
 */
export function renew(refused: string | undefined): Promise<string> {
  if (token && token.value !== refused) return Promise.resolve(token.value)
  renewing ??= refresh().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function refresh(): Promise<string> {
  const response = await post('refresh')
  if (response.ok) return admit(await response.json())
  if (response.status !== 401) throw await failed(response)
  if (!session.peek()) throw new ApiError(401, 'unauthorized')
  isPasswordWanted.value = true
  return new Promise((resolve, reject) => {
    asked = { resolve, reject }
  })
}

/** Takes an answer's session over and returns its token. */
function admit({ access_token, expires_in, user, media }: Admitted): string {
  if (session.peek() && session.peek()!.user.id !== user.id) startAnew()
  token = { value: access_token, ends: Date.now() + expires_in * 1000 }
  session.value = { user, k: media }
  isPasswordWanted.value = false
  asked?.resolve(access_token)
  asked = undefined
  return access_token
}

/** Another tab has signed a user in, or out. */
async function hear(userId: number | null): Promise<void> {
  const own = session.peek()?.user.id
  if (userId !== own) return startAnew()
  // The cookie is that of another session of the same user, whose pictures are elsewhere.
  const response = await post('refresh')
  if (response.ok) admit(await response.json())
}

/** Loads the page anew, so that nothing of one user is there for the next. */
function startAnew(): void {
  asked?.reject(new ApiError(401, 'unauthorized'))
  location.assign('/')
}

const HEADERS = { 'Content-Type': 'application/json', 'X-Tagstead': '1' }

function post(path: '' | 'refresh', body: object = {}): Promise<Response> {
  const place = path === '' ? '/web/session' : `/web/session/${path}`
  return reach(new Request(place, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) }))
}

async function failed(response: Response): Promise<ApiError> {
  return errorOf(response, await response.json().catch(() => null))
}
