import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { lookAgain, makeLookAlikes } from './support/look-alikes.ts'
import { type OpenGallery, openGallery, PASSWORD } from './support/open-gallery.ts'
import { makePool } from './support/pool.ts'

// Makes a picture of every screen at two sizes in two themes, to be looked at by a person. The folder
// for them may be given; by default it is build/screenshots.
const FOLDER = process.argv[2] ?? 'build/screenshots'
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const THEMES = ['light', 'dark'] as const

const TAGS = {
  People: { color: 'd9822b', tags: ['Anna', 'Jonas', 'grandparents'] },
  Places: { color: '3b82c4', tags: ['Arezzo', 'garden', 'La Rochelle'] },
  Occasions: { color: '4a9d5b', tags: ['birthday', 'holiday', 'wedding'] },
}

const POOLS = ['The old house', 'Snow', 'Spring 2015', 'Norway by train', 'A week in Arezzo']

/** What is done before a picture is made. */
const SCREENS: Record<string, (page: Page, gallery: OpenGallery) => Promise<unknown>> = {
  grid: (page) => page.goto('/'),
  async selected(page, { ids }) {
    await page.goto('/')
    for (const id of ids.slice(1, 4)) {
      await page
        .locator(`a[href*="/f/${id}"]`)
        .first()
        .click({ modifiers: ['Shift'] })
    }
  },
  async share(page) {
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    await page.keyboard.press('Control+a')
    await page.locator('.select').getByRole('button', { name: 'Share' }).click()
    await page.getByRole('combobox', { name: 'Share with' }).fill('an')
    await page.locator('.sees .after b').waitFor()
  },
  viewer: (page, { ids }) => page.goto(`/f/${ids[2]}`),
  inbox: (page) => page.goto('/inbox'),
  pools: (page) => page.goto('/albums'),
  async pool(page) {
    await page.goto('/albums')
    await page.locator('.pools a', { hasText: 'A week in Arezzo' }).click()
    await page.locator('.cell img[src]').first().waitFor()
  },
  duplicates: (page) => page.goto('/duplicates?at=one-by-one'),
  proposals: (page) => page.goto('/duplicates'),
  trash: (page) => page.goto('/trash'),
  import: (page) => page.goto('/keep/import'),
  users: (page) => page.goto('/keep/users'),
  audit: (page) => page.goto('/keep/audit'),
  tags: (page) => page.goto('/tags'),
  async tag(page) {
    await page.goto('/tags')
    await page.locator('.cats').getByRole('link', { name: 'holiday' }).click()
  },
  settings: (page) => page.goto('/settings'),
  about: (page) => page.goto('/about'),
  async nothing(page) {
    await page.goto('/?search=no%20such%20name')
  },
  async keys(page) {
    await page.goto('/')
    await page.locator('.shell').waitFor()
    await page.keyboard.press('?')
  },
  async filtered(page) {
    await page.goto('/')
    const box = page.getByRole('combobox', { name: 'Filter' })
    for (const text of ['are', 'hol']) {
      await box.fill(text)
      await box.press('Enter')
    }
  },
}

await mkdir(FOLDER, { recursive: true })
for (const theme of THEMES) {
  const gallery = await openGallery({ files: 60, theme })
  await fill(gallery)
  await makeLookAlikes(gallery, { count: 6, copyings: ['same', 'smaller'] })
  await lookAgain(gallery)
  for (const [size, viewport] of Object.entries(SIZES)) {
    await gallery.page.setViewportSize(viewport)
    for (const [name, show] of Object.entries(SCREENS)) {
      await show(gallery.page, gallery)
      await gallery.page.waitForLoadState('networkidle')
      const path = join(FOLDER, `${name}-${size}-${theme}.png`)
      await gallery.page.screenshot({ path, animations: 'disabled' })
    }
  }
  await gallery.close()
}

/** Gives the library tags, films, pools, and something in the trash. */
async function fill(gallery: OpenGallery): Promise<void> {
  const { call, ids } = gallery
  for (const [place, name] of POOLS.entries()) {
    await makePool(gallery, name, ids.slice(place * 3, place * 9 + 1))
  }
  for (const name of ['Anna', 'Grandma', 'Johanna']) {
    const user = await call<{ id: number }>('POST', '/users', { name, password: PASSWORD })
    const file_ids = name === 'Grandma' ? ids.slice(0, 12) : name === 'Anna' ? ids.slice(0, 6) : []
    await call('POST', '/files/bulk/share', { file_ids, add: [{ user_id: user.id }] })
  }
  let place = 0
  for (const [name, { color, tags }] of Object.entries(TAGS)) {
    const category = await call<{ id: string }>('POST', '/categories', { name, color })
    for (const tag of tags) {
      const body = { name: tag, category_id: category.id }
      const { id } = await call<{ id: string }>('POST', '/tags', body)
      const file_ids = ids.filter((_, n) => (n + place) % (place + 2) === 0)
      await call('POST', '/files/bulk/tags', { action: 'add', file_ids, tag_ids: [id] })
      place++
    }
  }
  await call('POST', '/files/bulk/delete', { file_ids: ids.slice(-7) })
  await call('POST', '/files/bulk/review', { file_ids: ids.slice(5), needs_review: false })
}
