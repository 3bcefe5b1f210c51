import type { Page } from 'playwright-core'

/** Returns whether somebody who left the page now would be asked. */
export function asksAtLeaving(page: Page): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
}
