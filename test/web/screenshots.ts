import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { corpusFiles } from '../support/media/media.ts'
import { type OpenGallery, openGallery } from './support/open-gallery.ts'

// Makes a picture of every screen at two sizes in two themes, to be looked at by a person. The folder
// for them may be given; by default it is build/screenshots. With --drawn it shows landscapes that
// were drawn instead of photos, which belong to those who took them.
const { values, positionals } = parseArgs({
  options: { drawn: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const FOLDER = positionals[0] ?? 'build/screenshots'
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const THEMES = ['light', 'dark'] as const

const TAGS = {
  People: { color: 'd9822b', tags: ['Anna', 'Jonas', 'grandparents'] },
  Places: { color: '3b82c4', tags: ['Arezzo', 'garden', 'La Rochelle'] },
  Occasions: { color: '4a9d5b', tags: ['birthday', 'holiday', 'wedding'] },
}

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
  viewer: (page, { ids }) => page.goto(`/f/${ids[2]}`),
  inbox: (page) => page.goto('/inbox'),
  trash: (page) => page.goto('/trash'),
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
  const gallery = await openGallery({ files: 60, theme, isDrawn: values.drawn })
  await fill(gallery)
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

/** Gives the library tags, films, and something in the trash. */
async function fill({ call, ids }: OpenGallery): Promise<void> {
  const photos = [...corpusFiles('photos').slice(0, 20), ...corpusFiles('video')]
  for (const path of values.drawn ? [] : photos) {
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(await readFile(path))]), basename(path))
    await call('POST', '/files', form)
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
