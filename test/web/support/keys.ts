import type { Locator, Page } from 'playwright-core'

const NAMED = /^(\w+\+.+|Enter|Tab|Escape|Backspace|Delete|Space|Arrow\w+|Home|End)$/

/** Presses keys, each by its name or the characters of a text, and returns how many they were. */
export async function press(page: Page, ...keys: string[]): Promise<number> {
  let pressed = 0
  for (const key of keys.flatMap((key) => (NAMED.test(key) ? [key] : [...key]))) {
    await page.keyboard.press(key)
    pressed++
  }
  return pressed
}

/** Clicks once on each, and returns how many clicks they were. */
export async function click(...targets: Locator[]): Promise<number> {
  for (const target of targets) await target.click()
  return targets.length
}
