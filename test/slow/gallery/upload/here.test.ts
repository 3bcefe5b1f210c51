import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { drop } from '../../../web/support/drop.ts'
import { hold } from '../../../web/support/hold.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'

let gallery: OpenGallery
let page: Page
/** The id of the file that is there. */
let lake: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  for (const name of ['old', 'holiday']) await gallery.call('POST', '/tags', { name })
  await page.reload()
  await drop(page, [{ name: 'lake.jpg' }])
  await panel().getByRole('heading', { name: '1 of 1' }).waitFor()
  ;[lake] = (await library()).map(({ id }) => id) as [string]
  await gallery.call('POST', '/files/bulk/tags', {
    action: 'add',
    file_ids: [lake],
    tag_ids: [await tagId('old')],
  })
  await clear()
})

after(() => gallery?.close())

const panel = () => page.getByRole('region', { name: 'Upload' })
const row = (name: string) => panel().getByRole('listitem').filter({ hasText: name })
const chip = (name: string) => panel().locator('.chip', { hasText: name })

async function clear(): Promise<void> {
  await panel().getByRole('button', { name: 'Clear the list' }).click()
  await panel().waitFor({ state: 'detached' })
}

interface Told {
  id: string
  is_deleted: boolean
  tags: { name: string }[]
}

interface Row {
  id: string
  original_name: string
  creator_name: string
}

const library = async () => (await gallery.call<{ items: Told[] }>('GET', '/files')).items
const told = () => gallery.call<Told>('GET', `/files/${lake}`)
const tagsOf = ({ tags }: Told) => tags.map(({ name }) => name).sort()

async function tagId(name: string): Promise<string> {
  const { items } = await gallery.call<{ items: { id: string; name: string }[] }>('GET', '/tags')
  return items.find((tag) => tag.name === name)!.id
}

/** Chooses a tag of the list by hand, or leaves it out, and waits until the file has heard of it. */
async function untilTagged(act: () => Promise<void>): Promise<void> {
  const isAsked = (url: string) => url.endsWith('/files/bulk/tags') || url.endsWith('/undo')
  const answered = page.waitForResponse((response) => isAsked(response.url()))
  await act()
  await answered
}

describe('a file that the server has already', { skip: withoutChromium }, () => {
  it('is told to be here, is opened from the list, and makes no other one', async () => {
    await drop(page, [{ name: 'copy.jpg', like: 'lake.jpg' }, { name: 'dome.jpg' }])
    await panel().getByRole('heading', { name: '2 of 2' }).waitFor()
    await panel().getByText('1 photo is already here and was skipped').waitFor()
    await panel().getByText('1 photo has arrived').waitFor({ state: 'attached' })
    await assertAccessible(page, 'an upload of what is here')
    assert.equal((await library()).length, 2)
    await row('copy.jpg').getByRole('link', { name: 'already here' }).click()
    await page.waitForURL(`**/f/${lake}`)
    const viewer = page.getByRole('dialog', { name: 'Photo' })
    await viewer.waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    // Chosen again, it need not even be sent.
    await drop(page, [{ name: 'copy.jpg', like: 'lake.jpg' }])
    await panel().getByText('2 photos are already here and were skipped').waitFor()
  })

  it('gets the tags of the list, which an undo takes off and nothing else', async () => {
    await panel().getByRole('combobox').first().fill('holiday')
    await untilTagged(() => page.keyboard.press('Enter'))
    assert.deepEqual(tagsOf(await told()), ['holiday', 'old'])
    await panel().locator('h2').click()
    await untilTagged(() => page.keyboard.press('Control+z'))
    await chip('holiday').waitFor({ state: 'detached' })
    const { is_deleted, ...file } = await told()
    assert.deepEqual([is_deleted, tagsOf(file as Told)], [false, ['old']])
    assert.equal((await library()).length, 2)
  })

  it('keeps a tag that it had when that is left out of the list', async () => {
    const box = panel().getByRole('combobox').first()
    await box.fill('old')
    await untilTagged(() => page.keyboard.press('Enter'))
    await untilTagged(() => chip('old').getByRole('button').click())
    assert.deepEqual(tagsOf(await told()), ['old'])
    await clear()
  })

  it('is told to be in the trash, and is taken out of it', async () => {
    await gallery.call('POST', '/files/bulk/delete', { file_ids: [lake] })
    await drop(page, [{ name: 'third.jpg', like: 'lake.jpg' }])
    await panel().getByText('1 of them is in the trash').waitFor()
    assert.equal((await told()).is_deleted, true)
    const link = row('third.jpg').getByRole('link', { name: 'already here' })
    assert.equal(await link.getAttribute('href'), '/trash')
    await panel().getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 photo is back').waitFor()
    await panel().getByText('1 of them is in the trash').waitFor({ state: 'detached' })
    assert.equal(await link.getAttribute('href'), `/f/${lake}`)
    assert.equal((await told()).is_deleted, false)
    assert.equal((await library()).length, 2)
  })

  it('may be that of somebody else, who is named', async () => {
    await gallery.call('PATCH', `/files/${lake}`, { is_public: true })
    const anna = { name: 'Anna', password: 'a password of Anna', can_create: true }
    await gallery.call('POST', '/users', anna)
    const other = await gallery.stranger()
    await other.goto('/')
    await enter(other, anna.name, anna.password)
    await drop(other, [{ name: 'of Anna.jpg', like: 'lake.jpg' }])
    await other.getByRole('link', { name: 'already here, from admin' }).waitFor()
    assert.equal((await library()).length, 2)
    // What is in the trash of somebody else may be deleted for good any time.
    await gallery.call('POST', '/files/bulk/delete', { file_ids: [lake] })
    await drop(other, [{ name: 'kept by Anna.jpg', like: 'lake.jpg' }])
    await other.getByRole('heading', { name: '2 of 2' }).waitFor()
    const { items } = await gallery.call<{ items: Row[] }>('GET', '/files?sort=created&order=desc')
    assert.deepEqual(
      [items[0]!.original_name, items[0]!.creator_name],
      ['kept by Anna.jpg', 'Anna'],
    )
    await other.close()
    // It would stand for what admin uploads, too.
    const file_ids = [items[0]!.id]
    await gallery.call('POST', '/files/bulk/delete', { file_ids })
    await gallery.call('POST', '/files/bulk/permanent', { file_ids })
  })

  it('is not one of the next list when it comes back only then', async () => {
    await clear()
    await drop(page, [{ name: 'fourth.jpg', like: 'lake.jpg' }])
    await panel().getByText('1 of them is in the trash').waitFor()
    const { held, letGo } = await hold(page, { method: 'POST', path: '/files/bulk/restore' })
    await panel().getByRole('button', { name: 'Restore' }).click()
    await held
    await clear()
    await drop(page, [{ name: 'next.jpg' }])
    await panel().getByRole('heading', { name: '1 of 1' }).waitFor()
    await panel().getByRole('combobox').first().fill('holiday')
    await untilTagged(() => page.keyboard.press('Enter'))
    await letGo()
    // That of the other test may still be there.
    await page.getByText('1 photo is back').last().waitFor()
    // What is chosen is brought about in order.
    await panel().getByRole('combobox').first().fill('old')
    await untilTagged(() => page.keyboard.press('Enter'))
    const { is_deleted, ...file } = await told()
    assert.deepEqual([is_deleted, tagsOf(file as Told)], [false, ['old']])
    await clear()
  })

  it('is told when it could not be taken out of the trash', async () => {
    await gallery.call('POST', '/files/bulk/delete', { file_ids: [lake] })
    await drop(page, [{ name: 'fifth.jpg', like: 'lake.jpg' }])
    await panel().getByText('1 of them is in the trash').waitFor()
    await gallery.call('POST', '/files/bulk/permanent', { file_ids: [lake] })
    await panel().getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 photo could not be restored').waitFor()
  })
})
