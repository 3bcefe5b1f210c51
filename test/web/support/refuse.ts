import type { Page } from 'playwright-core'

interface Wanted {
  method: string
  /** The end of the request's path. */
  path: string
}

interface Refusal extends Wanted {
  status: number
  code: string
}

/** Lets requests of a page be answered by an error; see `answer`. */
export function refuse(page: Page, { status, code, ...wanted }: Refusal): Promise<Undo> {
  return answer(page, wanted, JSON.stringify({ code }), { status })
}

/** Lets requests of a page be answered by what makes no sense, as if by the server; see `answer`. */
export function garble(page: Page, wanted: Wanted): Promise<Undo> {
  return answer(page, wanted, 'no JSON', { headers: { 'x-request-id': 'made up' } })
}

type Undo = () => Promise<void>

/**
 * Answers requests of a page until it is loaded anew, or the returned function is called; of one kind
 * at a time, because that gives the page the fetch of before. It is done in the page: a route of
 * playwright misses requests that follow at once.
 */
async function answer(
  page: Page,
  wanted: Wanted,
  body: string,
  init: { status?: number; headers?: Record<string, string> },
): Promise<Undo> {
  await page.evaluate(
    `{
      const { method, path, body, init } = ${JSON.stringify({ ...wanted, body, init })}
      const before = fetch
      globalThis.letThrough = () => {
        globalThis.fetch = before
      }
      globalThis.fetch = (request, ...rest) =>
        request.method === method && new URL(request.url).pathname.endsWith(path)
          ? Promise.resolve(new Response(body, init))
          : before(request, ...rest)
    }`,
  )
  return async () => {
    await page.evaluate('letThrough()')
  }
}
