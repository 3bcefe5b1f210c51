import assert from 'node:assert/strict'
import { checked } from './checked.ts'
import { type Contract, createContract } from './contract.ts'
import { parseAnswer } from './raw-answer.ts'

/** How the answers of a server are judged. */
interface Watch {
  contract: Contract
  /** Set when only its errors have to be those of the document. */
  errorsOnly?: boolean
}

const plainFetch = globalThis.fetch
const watched = new Map<string, Watch>()
let served: Contract | undefined

/**
 * Checks what `fetch` brings from a server against a document from now on, by default the one that
 * the server serves. Its pages for people are in no document.
 */
export async function watchAnswers(url: string, watch?: Watch): Promise<void> {
  if (!watch && !served) {
    const document = await plainFetch(`${url}/api/v1/openapi.json`)
    served = createContract((await document.json()) as Record<string, unknown>)
  }
  globalThis.fetch = Object.assign(checkedFetch, plainFetch)
  watched.set(new URL(url).origin, watch ?? { contract: served! })
}

/** Leaves a server's address to whichever server gets it next. */
export function unwatchAnswers(url: string): void {
  watched.delete(new URL(url).origin)
}

/**
 * Checks what came back on a connection of its own against the document of the server at the URL;
 * `request` is what was sent, or its beginning. When nobody read the answer to its end, only its
 * head is judged. Throws an AssertionError when the document does not allow the answer.
 */
export function checkExchange(
  url: string,
  request: string | Uint8Array,
  answer: Uint8Array,
  options: { headOnly?: boolean } = {},
): void {
  const watch = watched.get(new URL(url).origin)
  assert.ok(watch, `nobody watches ${url}`)
  const start = Buffer.from(request).subarray(0, 1000).toString('latin1')
  const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(start) ?? []
  assert.ok(method && path, `no request: ${start}`)
  const { status, headers, body } = parseAnswer(answer, options)
  if (watch.errorsOnly && status < 400) return
  watch.contract.check({ method, path, status, headers, text: body?.toString('utf8') ?? null })
}

async function checkedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await plainFetch(...request)
  const [asked, init] = request
  const isRequest = asked instanceof Request
  const { origin, pathname: path } = new URL(isRequest ? asked.url : asked)
  const method = init?.method ?? (isRequest ? asked.method : 'GET')
  const watch = watched.get(origin)
  if (!watch || !isDescribed(path)) return answer
  if (watch.errorsOnly && answer.ok) return answer
  return checked(watch.contract, { method, path }, answer)
}

/** Whether the document is to know a path: not those of pages, nor of what they load. */
function isDescribed(path: string): boolean {
  return /^\/(api|health|web\/(session|media))(\/|$)/.test(path)
}
