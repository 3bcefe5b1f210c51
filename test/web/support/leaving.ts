import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'

/** Milliseconds after which a page that nobody touches may load itself anew, and some more. */
const LONG = 25_000

/** Returns whether somebody who left the page now would be asked. */
export function asksAtLeaving(page: Page): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

/**
 * Lets the time of a page, whose clock is installed, go on until it has loaded itself anew, so that what
 * `globalThis.kept` kept is gone.
 */
export async function untilLoadedAnew(page: Page): Promise<void> {
  const look = () =>
    page
      // What the browser shows by itself when a page doesn't come is another one, too.
      .evaluate(() => ({
        isOld: 'kept' in globalThis,
        isThere: document.querySelector('.shell') !== null,
      }))
      // Fails while the page is between its old and its new self.
      .catch(() => ({ isOld: false, isThere: false }))
  await eventually(async () => {
    const { isOld, isThere } = await look()
    // The time of the new one stands, or it would load itself anew again.
    if (isOld) await page.clock.runFor(LONG).catch(() => {})
    return !isOld && isThere
  })
}

/**
 * Asserts that a page doesn't load itself anew, however long nobody does anything, while it asks again and again
 * for a part that it doesn't get.
 */
export async function assertKept(page: Page): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const lost = page.waitForEvent('requestfailed')
    await page.clock.runFor(LONG)
    await lost
  }
  assert.equal(await page.evaluate('globalThis.kept'), true)
}
