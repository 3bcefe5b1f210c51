import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Returns whether somebody who left the page now would be asked. */
export function asksAtLeaving(page: Page): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

/**
 * Lets the time of a page, whose clock is installed, go on until it has loaded itself anew, so that what
 * `globalThis.kept` kept is gone; fails when it hasn't after `patience`, in milliseconds. These are
 * real ones, because what it asks the server for takes real time.
 */
export async function untilLoadedAnew(page: Page, patience = 15_000): Promise<void> {
  const isAnew = () =>
    page
      // What the browser shows by itself when a page doesn't come is another one, too.
      .evaluate(() => !('kept' in globalThis) && document.querySelector('.shell') !== null)
      // Fails while the page is between its old and its new self.
      .catch(() => false)
  const end = performance.now() + patience
  while (!(await isAnew())) {
    if (performance.now() > end) assert.fail('The page has not loaded itself anew')
    await page.clock.runFor(25_000).catch(() => {})
  }
}
