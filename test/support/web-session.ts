import assert from 'node:assert/strict'
import type { Library } from './harness.ts'

/** What the page sends with each request about its session. */
export const PAGE = { 'Content-Type': 'application/json', 'X-Tagstead': '1' }

/** A browser's cookies, by their names, with what a request to a path carries of them. */
export interface CookieJar {
  /** Keeps and removes cookies as an answer says. */
  take(response: { headers: Headers }): void
  /** Returns the header for a path; no header when there is no cookie for it. */
  header(path: string): Record<string, string>
  /** Returns the name and value of the cookie with that ending. */
  cookie(kind: 's' | 'm'): string | undefined
}

/** Returns a jar without cookies. */
export function cookieJar(): CookieJar {
  const kept = new Map<string, { value: string; path: string }>()
  const pairs = (holds: (name: string, path: string) => boolean) =>
    [...kept]
      .filter(([name, { path }]) => holds(name, path))
      .map(([name, { value }]) => `${name}=${value}`)
  return {
    take({ headers }) {
      for (const line of headers.getSetCookie()) {
        const [, name, value, path, age] =
          /^([^=]+)=([^;]*); Path=([^;]+); Max-Age=(\d+)/.exec(line) ?? []
        assert.ok(name && path, line)
        if (age === '0') kept.delete(name)
        else kept.set(name, { value: value!, path })
      }
    },
    header(path) {
      const sent = pairs(
        (_, cookiePath) => path === cookiePath || path.startsWith(`${cookiePath}/`),
      )
      const headers: Record<string, string> = sent.length > 0 ? { Cookie: sent.join('; ') } : {}
      return headers
    },
    cookie: (kind) => pairs((name) => name.endsWith(`-${kind}`))[0],
  }
}

/** A page that is signed in. */
export interface SignedInPage {
  jar: CookieJar
  /** The characters of its session. */
  media: string
  access_token: string
}

/** Signs in to the page as a user of `addUser`. */
export async function signInToPage(library: Library, name: string): Promise<SignedInPage> {
  const response = await library.request('/web/session', {
    method: 'POST',
    headers: PAGE,
    body: JSON.stringify({ name, password: `password of ${name}` }),
  })
  assert.equal(response.status, 200)
  const jar = cookieJar()
  jar.take(response)
  const { media, access_token } = (await response.json()) as SignedInPage
  return { jar, media, access_token }
}

/** Sends a request as a page with these cookies does, and returns the answer unread. */
export async function send(
  library: Library,
  jar: CookieJar,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; peer?: string } = {},
): Promise<Response> {
  const { body, headers, peer } = options
  const init = {
    method,
    headers: { ...PAGE, ...jar.header(path.replace(/\?.*/, '')), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return library.request(path, init, peer === undefined ? {} : { peer })
}
