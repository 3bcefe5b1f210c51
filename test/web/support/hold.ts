import type { Page } from 'playwright-core'

interface Held {
  /** Resolves once such a request was made. */
  held: Promise<void>
  letGo(): Promise<void>
}

/** Keeps the first answer to such a request of a page from coming to it until it is let go. */
export async function holdAnswer(
  page: Page,
  wanted: { method: string; path: string },
): Promise<Held> {
  await page.evaluate(
    `{
      const { method, path } = ${JSON.stringify(wanted)}
      const unheld = fetch
      const held = Promise.withResolvers()
      const goOn = Promise.withResolvers()
      globalThis.hold = { held, goOn }
      globalThis.fetch = async (request, ...rest) => {
        if (request.method !== method || !new URL(request.url).pathname.endsWith(path)) {
          return unheld(request, ...rest)
        }
        globalThis.fetch = unheld
        const answer = await unheld(request, ...rest)
        held.resolve()
        await goOn.promise
        return answer
      }
    }`,
  )
  return {
    held: page.evaluate('hold.held.promise'),
    letGo: () => page.evaluate('hold.goOn.resolve()'),
  }
}

/**
 * Keeps requests of a page by fetch from being sent until they are let go. It is done in the page: a
 * route of playwright misses requests that follow at once.
 */
export async function hold(page: Page, wanted: { method: string; path: string }): Promise<Held> {
  await page.evaluate(
    `{
      const { method, path } = ${JSON.stringify(wanted)}
      const unheld = fetch
      const held = Promise.withResolvers()
      const goOn = Promise.withResolvers()
      globalThis.hold = { held, goOn }
      globalThis.fetch = async (request, ...rest) => {
        if (request.method === method && new URL(request.url).pathname.endsWith(path)) {
          held.resolve()
          await goOn.promise
        }
        return unheld(request, ...rest)
      }
    }`,
  )
  return {
    held: page.evaluate('hold.held.promise'),
    letGo: () => page.evaluate('hold.goOn.resolve()'),
  }
}
