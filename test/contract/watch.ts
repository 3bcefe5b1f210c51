import { type Contract, createContract } from './contract.ts'

const plainFetch = globalThis.fetch
const watched = new Set<string>()
let contract: Contract | undefined

/**
 * Holds what `fetch` brings from a server against the document from now on; its pages for people are
 * in no document.
 */
export async function watchAnswers(url: string): Promise<void> {
  if (!contract) {
    const document = await plainFetch(`${url}/api/v1/openapi.json`)
    contract = createContract((await document.json()) as Record<string, unknown>)
    globalThis.fetch = Object.assign(checkedFetch, plainFetch)
  }
  watched.add(new URL(url).origin)
}

/** Leaves a server's address to whoever gets it next. */
export function unwatchAnswers(url: string): void {
  watched.delete(new URL(url).origin)
}

async function checkedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await plainFetch(...request)
  const [asked, init] = request
  const isRequest = asked instanceof Request
  const { origin, pathname: path } = new URL(isRequest ? asked.url : asked)
  const method = init?.method ?? (isRequest ? asked.method : 'GET')
  if (!watched.has(origin) || path === '/' || path.startsWith('/docs')) return answer
  const { status, headers } = answer
  const isJson = headers.get('Content-Type')?.startsWith('application/json')
  // Whoever asks for it compressed may want it so.
  const isReadable = isJson && !headers.has('Content-Encoding')
  const text = isReadable ? await answer.clone().text() : null
  contract?.check({ method, path, status, headers, text })
  return answer
}
