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
export async function untilLoadedAnew(page: Page, patience = 60_000): Promise<void> {
  const look = () =>
    page
      // What the browser shows by itself when a page doesn't come is another one, too.
      .evaluate(() => ({
        isOld: 'kept' in globalThis,
        isThere: document.querySelector('.shell') !== null,
      }))
      // Fails while the page is between its old and its new self.
      .catch(() => ({ isOld: false, isThere: false }))
  const end = performance.now() + patience
  for (;;) {
    const { isOld, isThere } = await look()
    if (!isOld && isThere) return
    if (performance.now() > end) assert.fail('The page has not loaded itself anew')
    // The time of the new one stands, or it would load itself anew again.
    if (isOld) await page.clock.runFor(25_000).catch(() => {})
  }
}
