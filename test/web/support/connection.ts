import type { Page } from 'playwright-core'

/** Tells a page to look for the server at once, if it hasn't found it by itself meanwhile. */
export async function tryNow(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Try now' })
  await button.evaluateAll((buttons) => {
    for (const one of buttons) (one as HTMLElement).click()
  })
}
