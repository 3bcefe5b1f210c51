import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { photograph } from '../../support/media/samples.ts'
import type { OpenGallery } from './open-gallery.ts'

/** What is done to a photo so that it looks alike; `same` is the same bytes. */
export type Copying = 'smaller' | 'recompressed' | 'brightened' | 'same'

/** A picture that was uploaded, and what was put on it. */
export interface Made {
  id: string
  name: string
  width: number
  bytes: number
  tags: string[]
  pools: string[]
  /** By its EXIF; null when nothing tells it but its arrival. */
  date: string | null
}

/** A photo with its copy, or two of them. */
export interface LookAlikes {
  copying: Copying
  photo: Made
  copies: Made[]
}

interface Named {
  id: string
  name: string
}

const TAGS = ['Anna', 'garden', 'holiday', 'Italy', 'Jonas']
const POOLS = ['Spring', 'Summer']

/**
 * Uploads made-up photos, no two of which look alike, and of each a copy that does, every tenth two, by turns as
 * `copyings` say. Now the photo came first, now the copy; tags, pools and dates are on this side, on that, or on
 * both. Returns them in the order of photos.
 */
export async function makeLookAlikes(
  { call }: OpenGallery,
  { count, copyings }: { count: number; copyings: Copying[] },
): Promise<LookAlikes[]> {
  const there = await call<{ items: Named[] }>('GET', '/tags?limit=200')
  const tags = await named(
    TAGS,
    async (name) =>
      there.items.find((tag) => tag.name === name) ?? call<Named>('POST', '/tags', { name }),
  )
  const pools = await named(POOLS, (name) => call<Named>('POST', '/pools', { name }))

  const add = async (bytes: Buffer, made: Omit<Made, 'id' | 'width' | 'bytes'>): Promise<Made> => {
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), made.name)
    const { id, width } = await call<{ id: string; width: number }>('POST', '/files', form)
    for (const tag of made.tags) await call('PUT', `/files/${id}/tags/${tags.get(tag)}`)
    for (const pool of made.pools) {
      await call('POST', `/pools/${pools.get(pool)}/files`, { file_ids: [id] })
    }
    return { ...made, id, width, bytes: bytes.length }
  }

  const all: LookAlikes[] = []
  for (let number = 0; number < count; number++) {
    const copying = copyings[number % copyings.length]!
    const photo = await readFile(await photograph(number))
    // Which of both has a date and tags turns in another rhythm than how the copy was made.
    const turn = Math.floor(number / copyings.length)
    const date = new Date(Date.UTC(2001 + (number % 20), number % 12, 1 + (number % 27), 12))
    const dated = copying === 'brightened' ? 'both' : turn % 3 === 1 ? 'copy' : 'photo'
    const name = `IMG_${String(number + 1).padStart(4, '0')}`
    const picture = await exif(photo, dated === 'copy' && copying !== 'same' ? null : date)
    const facts = (isCopy: boolean, place = 0) => {
      const isDated =
        dated === 'both' || copying === 'same' || dated === (isCopy ? 'copy' : 'photo')
      return {
        name: `${name}${isCopy ? ` (${place + 1})` : ''}.jpg`,
        tags: TAGS.filter((_, at) => (number + at) % (isCopy ? 2 + (turn % 2) : 3) === 0),
        pools: POOLS.filter((_, at) => (number + at) % (isCopy ? 2 : 4) === (isCopy ? 1 : 0)),
        date: isDated ? date.toISOString() : null,
      }
    }
    const copyOf = async (place: number) => {
      const copy = await copied(picture, copying, place)
      const own = facts(true, place)
      return add(await (copying === 'same' ? copy : exif(copy, own.date ? date : null)), own)
    }
    const early = number % 2 === 1 ? [await copyOf(0)] : []
    const own = await add(picture, facts(false))
    const copies = early.length > 0 ? early : [await copyOf(0)]
    if (number % 10 === 9) copies.push(await copyOf(1))
    all.push({ copying, photo: own, copies })
  }
  return all
}

/** Lets the server look for look-alikes, to the end. */
export async function lookAgain({ url, token }: OpenGallery): Promise<void> {
  const response = await fetch(`${url}/api/v1/files/duplicates/rescan`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
  })
  const lines = (await response.text()).trim().split('\n')
  assert.equal(JSON.parse(lines.at(-1)!).type, 'done')
}

/** Returns the ids of the two files that a page shows, the left one first, once their pictures are there. */
export async function shownPair(page: Page): Promise<[string, string]> {
  await page.locator('.pair figure:nth-of-type(1) img.loaded').first().waitFor()
  await page.locator('.pair figure:nth-of-type(2) img.loaded').first().waitFor()
  return page.evaluate(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('.pair figure .layers')]
    return images.map((one) => one.querySelector('img')!.src.split('/')[6]!) as [string, string]
  })
}

async function named(
  names: string[],
  make: (name: string) => Promise<Named>,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, (await make(name)).id)
  return ids
}

async function copied(photo: Buffer, copying: Copying, place: number): Promise<Buffer> {
  if (copying === 'same') return photo
  const { width } = await sharp(photo).metadata()
  if (copying === 'smaller') {
    return sharp(photo)
      .resize(Math.round(width * (0.45 - 0.1 * place)))
      .jpeg()
      .toBuffer()
  }
  if (copying === 'recompressed')
    return sharp(photo)
      .jpeg({ quality: 50 - 15 * place })
      .toBuffer()
  return sharp(photo)
    .modulate({ brightness: 1.06 + 0.03 * place })
    .jpeg({ quality: 85 })
    .toBuffer()
}

/** Returns a picture that says when it was taken, by a clock in UTC, or says nothing. */
function exif(picture: Buffer, date: Date | null): Promise<Buffer> {
  if (date === null) return Promise.resolve(picture)
  const DateTimeOriginal = date.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ')
  const IFD2 = { DateTimeOriginal, OffsetTimeOriginal: '+00:00' }
  return sharp(picture).keepMetadata().withExif({ IFD2 }).jpeg({ quality: 92 }).toBuffer()
}
