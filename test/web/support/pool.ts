import type { Locator, Page } from 'playwright-core'
import type { OpenGallery } from './open-gallery.ts'

/** Makes a pool with files, and returns its id. */
export async function makePool(
  { call }: OpenGallery,
  name: string,
  file_ids: string[] = [],
): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/pools', { name })
  if (file_ids.length > 0) await call('POST', `/pools/${id}/files`, { file_ids })
  return id
}

/** Returns the ids of the files of a pool, in its own order, as the server has them. */
export async function orderOf({ call }: OpenGallery, pool: string): Promise<string[]> {
  return (await call<{ ids: string[] }>('GET', `/files/ids?pool=${pool}&limit=10000`)).ids
}

/** Returns the ids with some of them put before a place among the others. */
export function put(ids: readonly string[], chosen: readonly string[], place: number): string[] {
  const rest = ids.filter((id) => !chosen.includes(id))
  return [...rest.slice(0, place), ...chosen, ...rest.slice(place)]
}

/** Picks up a cell, and holds it over the left half of another. */
export async function carry(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.waitFor()
  const start = (await from.boundingBox())!
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + start.width / 2 + 20, start.y + start.height / 2)
  const end = (await to.boundingBox())!
  await page.mouse.move(end.x + end.width / 4, end.y + end.height / 2, { steps: 3 })
  await page.locator('.held').waitFor()
  await page.locator('.slot').waitFor()
}

/** Returns the cell of a file. */
export function cellOf(page: Page, id: string): Locator {
  return page.locator(`.cell:has(a[data-id="${id}"])`)
}

/** Goes to the page of a pool, and waits until it shows its files. */
export async function openPool(page: Page, pool: string): Promise<void> {
  await page.goto(`/albums/${pool}`)
  await page.locator('.cell img[src]').first().waitFor()
  await page.locator('.album .seen').waitFor()
}

/** Selects files of a page that has none selected. */
export async function select(page: Page, ...chosen: string[]): Promise<void> {
  for (const id of chosen) {
    await cellOf(page, id).hover()
    await cellOf(page, id).locator('.tick').click()
  }
  await page.getByText(`${chosen.length} selected`).waitFor()
}

/** Waits until a page shows a pool's files as they are on the server. */
export async function showsTruth(gallery: OpenGallery, page: Page, pool: string): Promise<void> {
  const order = await orderOf(gallery, pool)
  for (const [position, id] of order.slice(0, 12).entries()) {
    await page.locator(`.cell[data-position="${position}"] a[data-id="${id}"]`).waitFor()
  }
}
