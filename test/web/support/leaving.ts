import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Returns whether somebody who left the page now would be asked. */
export function asksAtLeaving(page: Page): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

/** How long a page may take to load itself anew, in real milliseconds. */
const PATIENCE = 15_000

/**
 * Lets the time of a page, whose clock is installed, go on until it has loaded itself anew, so that what
 * `globalThis.kept` kept is gone; fails when it doesn't. What it asks the server for takes real time.
 */
export async function untilLoadedAnew(page: Page): Promise<void> {
  const isKept = () =>
    // Fails while the page is between its old and its new self.
    page.evaluate(() => 'kept' in globalThis).catch(() => true)
  const end = performance.now() + PATIENCE
  while (await isKept()) {
    if (performance.now() > end) assert.fail('The page has not loaded itself anew')
    await page.clock.runFor(25_000).catch(() => {})
  }
}
