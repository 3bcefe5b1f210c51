import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { eventually } from '../../../support/eventually.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../../web/support/pictures.ts'
import { join as joinGallery } from '../../../web/support/somebody.ts'

let gallery: OpenGallery
let page: Page
let folder: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  await gallery.call('POST', '/tags', { name: 'rome' })
  await page.reload()
  folder = join(await mkdtemp(join(tmpdir(), 'tagstead-chosen-')), 'Trip')
  const [lake, dome, tower] = await madeUpPictures(3)
  await put('lake.jpg', lake!.bytes)
  await put('Rome/dome.jpg', dome!.bytes)
  await put('Rome/Forum/tower.jpg', tower!.bytes)
})

after(async () => {
  await gallery?.close()
  if (folder) await rm(dirname(folder), { recursive: true })
})

async function put(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), bytes)
}

const panel = (on = page) => on.getByRole('region', { name: 'Upload' })
// An empty library offers it twice.
const chooser = (on = page) => on.getByLabel('Choose a folder').first()
const toggle = (on = page) => panel(on).getByRole('switch', { name: 'Tags from folders' })

/** Waits until each file has the tags of these names. */
async function untilTagged(wanted: Record<string, string[]>): Promise<void> {
  type Files = { items: { original_name: string; tags: { name: string }[] }[] }
  await eventually(async () => {
    const { items } = await gallery.call<Files>('GET', '/files?limit=100')
    const tags = items.map(({ original_name, tags }): [string, string[]] => [
      original_name,
      tags.map(({ name }) => name).sort(),
    ])
    return isDeepStrictEqual(Object.fromEntries(tags), wanted)
  })
}

async function allTags(): Promise<string[]> {
  const { items } = await gallery.call<{ items: { name: string }[] }>('GET', '/tags')
  return items.map(({ name }) => name).sort()
}

describe('tags of the folders from which files came', { skip: withoutChromium }, () => {
  it('are offered, none by themselves', async () => {
    await chooser().setInputFiles(folder)
    await panel().getByRole('heading', { name: '3 of 3' }).waitFor()
    await panel().getByText('Trip, Rome, Forum', { exact: true }).waitFor()
    assert.equal(await toggle().isChecked(), false)
    await assertAccessible(page, 'an upload of a folder')
    assert.deepEqual(await allTags(), ['rome'])
  })

  it('are put on each file by its own folders, by keys, and taken off again', async () => {
    await toggle().press('Space')
    const tagged = {
      'lake.jpg': ['Trip'],
      'dome.jpg': ['Trip', 'rome'],
      'tower.jpg': ['Forum', 'Trip', 'rome'],
    }
    await untilTagged(tagged)
    // Of a tag that differs only in upper case, there is no second one.
    assert.deepEqual(await allTags(), ['Forum', 'Trip', 'rome'])
    const none = { 'lake.jpg': [], 'dome.jpg': [], 'tower.jpg': [] }
    await toggle().press('Space')
    await untilTagged(none)
    await page.locator('body').press('Control+z')
    await untilTagged(tagged)
    // The server knows it before the page does.
    await eventually(() => toggle().isChecked())
  })

  it('are on files that come later, and not chosen for the next list', async () => {
    const [, , , garden] = await madeUpPictures(4)
    const next = join(dirname(folder), 'Oslo')
    await mkdir(next)
    await writeFile(join(next, 'garden.jpg'), garden!.bytes)
    await chooser().setInputFiles(next)
    await panel().getByRole('heading', { name: '4 of 4' }).waitFor()
    const { items } = await gallery.call<{ items: { tags: { name: string }[] }[] }>(
      'GET',
      '/files?sort=created&order=desc&limit=1',
    )
    assert.deepEqual(
      items[0]!.tags.map(({ name }) => name),
      ['Oslo'],
    )
    await panel().getByRole('button', { name: 'Clear the list' }).click()
    await panel().waitFor({ state: 'detached' })
    await writeFile(join(next, 'garden 2.jpg'), Buffer.concat([garden!.bytes, Buffer.from('2')]))
    await chooser().setInputFiles(next)
    await panel().getByRole('heading', { name: '1 of 1' }).waitFor()
    assert.equal(await toggle().isChecked(), false)
  })

  it('are one’s own where a hidden tag has the name, which the list says', async () => {
    await gallery.call('POST', '/tags', { name: 'holiday' })
    const kid = await joinGallery(gallery, 'kid')
    const theirs = await gallery.stranger()
    await theirs.goto('/')
    await enter(theirs, 'kid')
    const holiday = join(dirname(folder), 'holiday')
    await mkdir(holiday)
    await writeFile(join(holiday, 'sea.jpg'), (await madeUpPictures(5))[4]!.bytes)
    await chooser(theirs).setInputFiles(holiday)
    await panel(theirs).getByRole('heading', { name: '1 of 1' }).waitFor()
    await toggle(theirs).press('Space')
    await panel(theirs)
      .getByText('Some names are taken by tags you can’t see. Yours are called: holiday (kid)')
      .waitFor()
    await assertAccessible(theirs, 'an upload with a tag of one’s own')
    type Files = { items: { tags: { name: string }[] }[] }
    await eventually(async () => {
      const { items } = await kid.call<Files>('GET', '/files')
      return items[0]!.tags.map(({ name }) => name).join() === 'holiday (kid)'
    })
    await theirs.close()
  })
})
