import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { openGallery } from './support/open-gallery.ts'
import { photographed } from './support/photographs.ts'

// Makes the pictures of the README. The folder for them may be given; by default it is docs.
const FOLDER = process.argv[2] ?? 'docs'
const PHONE = { width: 390, height: 844 }
/** On this day, two of the days below are of earlier years. */
const TODAY = '2026-07-14T10:00:00'

const DAYS = [
  { day: '2026-07-12', photos: [0, 1, 5, 2] },
  { day: '2026-07-11', photos: [3, 8, 7, 6] },
  { day: '2026-06-20', photos: [4, 11, 9] },
  { day: '2024-07-14', photos: [12, 13, 17] },
  { day: '2019-07-14', photos: [18, 15] },
]
const TAGS = {
  Occasions: { color: '4a9d5b', tags: ['birthday', 'holiday', 'wedding'] },
  People: { color: 'd9822b', tags: ['Anna', 'grandparents', 'Jonas'] },
  Places: { color: '3b82c4', tags: ['Arezzo', 'garden', 'La Rochelle'] },
}
/** The place of the picture that the viewer shows. */
const OPENED = 1
const NAMED = 4127
const SIZES = [
  [480, 320],
  [360, 480],
  [426, 320],
] as const

const gallery = await openGallery({ isSignedIn: true })
const { call, page } = gallery
const ids = await upload()
await tag()
// Nothing of the introduction, and only some for the inbox.
await call('PUT', '/users/me/settings', { first_hour: 'done' })
await call('POST', '/files/bulk/review', { file_ids: ids.slice(3), needs_review: false })

await page.clock.install({ time: TODAY })
await take(page, 'photos', '/', async () => {
  await page.getByRole('region', { name: 'This day' }).waitFor()
  await page.locator('.scrub:not(.moving)').waitFor()
})
await take(page, 'viewer', `/f/${ids[OPENED]}`, async () => {
  await page.locator('.facts').waitFor()
})
await page.setViewportSize(PHONE)
await take(page, 'inbox', '/inbox', async () => {
  await page.locator('.facts').waitFor()
})
await gallery.close()

/** Returns the ids, the newest first. */
async function upload(): Promise<string[]> {
  const made: string[] = []
  for (const { day, photos } of DAYS) {
    for (const [place, seed] of photos.entries()) {
      const scale = made.length === OPENED ? 2 : 1
      const [width, height] = SIZES[seed % 4 === 3 ? 1 : seed % 3 === 0 ? 2 : 0]
      const bytes = await photographed(seed, width * scale, height * scale)
        .jpeg({ quality: 88 })
        .toBuffer()
      const form = new FormData()
      form.set('file', new Blob([Uint8Array.from(bytes)]), `IMG_${NAMED - made.length}.jpg`)
      form.set('content_datetime', `${day}T${18 - 2 * place}:20:00Z`)
      made.push((await call<{ id: string }>('POST', '/files', form)).id)
    }
  }
  return made
}

async function tag(): Promise<void> {
  let step = 0
  for (const [name, { color, tags }] of Object.entries(TAGS)) {
    const category = await call<{ id: string }>('POST', '/categories', { name, color })
    for (const name of tags) {
      const { id } = await call<{ id: string }>('POST', '/tags', { name, category_id: category.id })
      const file_ids = ids.filter((_, n) => (n * 7 + step * 5) % 9 < 3)
      await call('POST', '/files/bulk/tags', { action: 'add', file_ids, tag_ids: [id] })
      step++
    }
  }
}

async function take(page: Page, name: string, path: string, wait: () => Promise<void>) {
  await page.goto(path)
  await wait()
  await page.waitForLoadState('networkidle')
  const bytes = await page.screenshot({ animations: 'disabled' })
  const width = name === 'inbox' ? 300 : 880
  await sharp(bytes)
    .resize({ width })
    .webp({ quality: 72, effort: 6 })
    .toFile(join(FOLDER, `${name}.webp`))
}
