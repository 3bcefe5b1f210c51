import type { Page } from 'playwright-core'

interface Refusal {
  method: string
  /** The end of the request's path. */
  path: string
  status: number
  code: string
}

/**
 * Lets requests of a page be answered by an error until it is loaded anew, or the returned function is
 * called. It is done in the page: a route of playwright misses requests that follow at once.
 */
export async function refuse(page: Page, refusal: Refusal): Promise<() => Promise<void>> {
  await page.evaluate(
    `{
      const { method, path, status, code } = ${JSON.stringify(refusal)}
      globalThis.unrefused = fetch
      globalThis.fetch = (request, ...rest) =>
        request.method === method && new URL(request.url).pathname.endsWith(path)
          ? Promise.resolve(Response.json({ code }, { status }))
          : unrefused(request, ...rest)
    }`,
  )
  return async () => {
    await page.evaluate('globalThis.fetch = globalThis.unrefused')
  }
}
