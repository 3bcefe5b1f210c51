import type { Page } from 'playwright-core'

/**
 * Returns what of an element's buttons, links and fields a finger can't hit: those that something
 * else covers, or that are smaller than 44 pixels with all that belongs to them.
 */
export function missedByFingers(page: Page, within: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const touched = 'button, a[href], input, select, textarea, [role=option]'
    const all = [...document.querySelectorAll(`${selector} :is(${touched})`)]
    return all.flatMap((element) => {
      if (!element.closest('.grid')) element.scrollIntoView({ block: 'nearest', inline: 'center' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const isSeen = element.checkVisibility() && width > 1 && y > 0 && y < innerHeight
      const isHit = (dx: number, dy: number) => {
        const hit = document.elementFromPoint(x + dx, y + dy)
        return hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element))
      }
      /** How far from its middle it can be hit in a direction. */
      const reach = (dx: number, dy: number) => {
        let far = 0
        while (far < 44 && isHit(dx * (far + 1), dy * (far + 1))) far++
        return far
      }
      if (!isSeen) return []
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      if (!isHit(0, 0)) return [`covered: ${name}`]
      const [across, down] = [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)]
      return across >= 43 && down >= 43 ? [] : [`${across + 1} by ${down + 1}: ${name}`]
    })
  }, within)
}

/** Whether what is told of the last change covers nothing of an element; both are waited for. */
export async function isToldBeside(page: Page, selector: string): Promise<boolean> {
  const told = await page.locator('.toasts').boundingBox()
  const other = await page.locator(selector).boundingBox()
  if (!told || !other || told.height === 0) throw new Error('one of them is not there')
  const isAbove = (one: typeof told, two: typeof told) => one.y + one.height <= two.y
  const isLeft = (one: typeof told, two: typeof told) => one.x + one.width <= two.x
  return isAbove(told, other) || isAbove(other, told) || isLeft(told, other) || isLeft(other, told)
}
