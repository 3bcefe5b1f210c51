import type { Page } from 'playwright-core'

/**
 * Returns what of a page runs out of its box, a line each: text that is wider or higher than what it
 * stands in, and texts, buttons and boxes to type in that leave the window, or are cut off where they
 * can't be scrolled to. Of open dialogs only the uppermost is looked at.
 */
export function whatRunsOut(page: Page): Promise<string[]> {
  return page.evaluate(measure)
}

/** Runs in the page. */
function measure(): string[] {
  /** What fonts and rounding may add, in pixels: at the sides, and above and below. */
  const [ASIDE, ABOVE] = [1.5, 4]
  const CONTROLS = 'button, a[href], input, select, textarea, [role="option"], [role="menuitem"]'
  /** Pictures that are larger than what shows them, and what is hidden from the eye alone. */
  const APART = '.strip, .photo, .hidden, .skip, [aria-hidden="true"], svg'
  const found = new Set<string>()

  const describe = (element: Element) => {
    const own = `${element.localName}.${(element.getAttribute('class') ?? '').replaceAll(' ', '.')}`
    const around = element.parentElement?.getAttribute('class') ?? ''
    return `${own} in "${around}": ${(element.textContent ?? '').trim().slice(0, 40)}`
  }
  const isInline = (element: Element) => {
    const { display } = getComputedStyle(element)
    return display === 'inline' || display === 'contents'
  }
  const isSeen = (element: Element) => {
    if (element.closest(APART) || !element.checkVisibility({ visibilityProperty: true }))
      return false
    const { clipPath, opacity } = getComputedStyle(element)
    return clipPath === 'none' && opacity !== '0'
  }
  /** Looks at a rectangle of an element, from its own box outwards to what clips or scrolls it. */
  const look = (element: Element, rect: DOMRect, isText: boolean) => {
    let box: Element | null = element
    let isOwn = true
    let isInFlow = isText
    while (box && box !== document.documentElement) {
      const { overflowX, overflowY, textOverflow, position } = getComputedStyle(box)
      if (!isInline(box) && box !== document.body) {
        const edge = box.getBoundingClientRect()
        const isOut = rect.left < edge.left - ASIDE || rect.right > edge.right + ASIDE
        const isCut = overflowX !== 'visible'
        if (isCut && /auto|scroll/.test(overflowX) && box.scrollWidth > box.clientWidth) return
        if (isCut && isText && textOverflow === 'ellipsis') return
        if (isOut && isCut) found.add(`is cut off by .${box.className}: ${describe(element)}`)
        else if (isOut && isInFlow)
          found.add(`is wider than .${box.className}: ${describe(element)}`)
        if (isOut && (isCut || isInFlow)) return
        const isHigher = rect.top < edge.top - ABOVE || rect.bottom > edge.bottom + ABOVE
        if (isText && isOwn && isHigher && overflowY === 'visible') {
          found.add(`is higher than its box: ${describe(element)}`)
        }
        isOwn = false
        if (position === 'absolute' || position === 'fixed') isInFlow = false
        if (position === 'fixed') break
      }
      box = box.parentElement
    }
    if (rect.left < -ASIDE || rect.right > innerWidth + ASIDE) {
      found.add(`leaves the window: ${describe(element)}`)
    }
  }

  const modals = document.querySelectorAll('dialog:modal')
  const root = modals[modals.length - 1] ?? document.body
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement!
    if (!node.textContent!.trim() || !isSeen(element)) continue
    if (element.closest('script, style, option, textarea')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) if (rect.width > 0) look(element, rect, true)
  }
  for (const element of root.querySelectorAll(CONTROLS)) {
    const rect = element.getBoundingClientRect()
    if (rect.width > 0 && isSeen(element)) look(element, rect, false)
  }
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.add(`the page is ${scrollWidth - clientWidth} pixels wider`)
  return [...found]
}
