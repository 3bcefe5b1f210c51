import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Throws when axe finds something in the page that keeps people from using it. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(`${axe.source}; undefined`)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`,
  )
  assert.deepEqual(found, [], what)
}
