import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../../src/client/index.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { watchRequests } from '../../../web/support/drive.ts'
import { hold } from '../../../web/support/hold.ts'
import { press } from '../../../web/support/keys.ts'
import {
  type LookAlikes,
  lookAgain,
  makeLookAlikes,
  shownPair,
} from '../../../web/support/look-alikes.ts'
import {
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../../web/support/pictures.ts'
import { refuse } from '../../../web/support/refuse.ts'

const skip = withoutChromium

let gallery: OpenGallery
let page: Page
let made: LookAlikes[]

before(async () => {
  if (skip) return
  gallery = await openGallery()
  page = gallery.page
  made = await makeLookAlikes(gallery, { count: 8, copyings: ['same', 'smaller'] })
  await lookAgain(gallery)
})

after(() => gallery?.close())

const file = (id: string) => gallery.call<Schemas['File']>('GET', `/files/${id}`)
const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const opened = () => page.locator('.opened')
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const isTrashed = async ({ id }: { id: string }) => (await file(id)).is_deleted
const proposed = async () =>
  (await gallery.call<Schemas['DuplicateProposalPage']>('GET', '/files/duplicates/proposals')).total

describe('what is proposed about copies', { skip }, () => {
  it('is listed by why, and shows in green what the kept one gains', async () => {
    await page.goto('/duplicates')
    await page.getByRole('navigation').getByRole('link', { name: 'Duplicates 8' }).waitFor()
    await heading('4 exact copies')
    await heading('4 smaller versions')
    // The first pair is one of equal bytes: that with most tags is kept.
    const [{ photo, copies }] = [made[0]!]
    await row(copies[0]!.name).getByText('gains the tag Italy, the album Spring').waitFor()
    await opened().locator('figure').nth(1).waitFor()
    const [kept, lost] = await opened().locator('figure').all()
    assert.match(await kept!.innerText(), /Anna, holiday, Jonas \+ Italy/)
    await kept!.getByText('+ Spring').waitFor()
    assert.match(await lost!.innerText(), new RegExp(photo.name))
    await assertAccessible(page, 'proposals')
  })

  it('tells of each file in lines that are as wide as its picture, on phones', async () => {
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 390, height: 844 })
    const widths = await opened()
      .locator('figure')
      .evaluateAll((all) =>
        all.flatMap((figure) =>
          [...figure.querySelectorAll('img, dd')].map((one) => one.getBoundingClientRect().width),
        ),
      )
    assert.equal(new Set(widths).size, 1, String(widths))
    await page.setViewportSize(size)
  })

  it('is done by one key, and undone by one key', async () => {
    const { photo, copies } = made[0]!
    await press(page, 'Enter')
    await heading('3 exact copies')
    await page.getByText('1 cleaned up, 1 photo in the trash').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Duplicates 7' }).waitFor()
    assert.equal(await isTrashed(photo), true)
    const kept = await file(copies[0]!.id)
    assert.deepEqual(kept.tags.map(({ name }) => name).sort(), [
      'Anna',
      'Italy',
      'Jonas',
      'holiday',
    ])
    await press(page, 'Control+z')
    await heading('4 exact copies')
    assert.equal(await isTrashed(photo), false)
  })

  it('has the pools of files read once, until something is changed', async () => {
    const requests = watchRequests(page)
    const openAnew = async () => {
      await page.getByRole('link', { name: 'Photos' }).click()
      await page.locator('.cell').first().waitFor()
      await page.getByRole('link', { name: 'Duplicates' }).click()
      await opened().getByText('Spring').first().waitFor()
      await requests.idle()
      return requests.take().filter((path) => path.includes('pool=')).length
    }
    assert.equal(await openAnew(), 2)
    assert.equal(await openAnew(), 0)
  })

  it('leaves all where they are no copies, which is taken back as long as nothing follows', async () => {
    await press(page, 'ArrowDown')
    await press(page, 'ArrowUp')
    await press(page, 'k')
    await heading('3 exact copies')
    await press(page, 'Control+z')
    await heading('4 exact copies')
    const dismissed = page.waitForResponse((answer) => answer.url().endsWith('/dismiss'))
    await press(page, 'k')
    await heading('3 exact copies')
    await press(page, 'Enter')
    assert.ok((await dismissed).ok())
    await page.getByText('1 cleaned up, 1 photo in the trash').last().waitFor()
    assert.equal(await proposed(), 6)
  })

  it('comes back when the server refuses', async () => {
    const letThrough = await refuse(page, {
      method: 'POST',
      path: '/files/duplicates/proposals/settle',
      status: 403,
      code: 'forbidden',
    })
    await press(page, 'Enter')
    await page.getByText('You are not allowed to do that').waitFor()
    await letThrough()
    await heading('2 exact copies')
    assert.equal(await proposed(), 6)
  })

  it('tells what somebody has changed meanwhile, and leaves it', async () => {
    const { photo, copies } = made[4]!
    const { photo: other, copies: others } = made[6]!
    // The notes of both differ now.
    for (const one of [photo, copies[0]!, other, others[0]!]) {
      await gallery.call('PATCH', `/files/${one.id}`, { notes: one.name })
    }
    await press(page, 'Enter')
    await page.getByText('1 was left as it is: it has changed in the meantime.').waitFor()
    await page.getByRole('heading', { name: /exact/ }).waitFor({ state: 'detached' })
    assert.equal(await isTrashed(photo), false)
    for (const one of [photo, copies[0]!, other, others[0]!]) {
      await gallery.call('PATCH', `/files/${one.id}`, { notes: null })
    }
  })

  it('is decided by hand where somebody wants that', async () => {
    await page.reload()
    await heading('2 exact copies')
    const { photo, copies } = made[1]!
    await row(photo.name)
      .getByRole('button', { name: `${photo.name}: details` })
      .click()
    await opened().getByRole('button', { name: 'Decide by hand' }).click()
    assert.deepEqual(await shownPair(page), [photo.id, copies[0]!.id])
    // Nobody has looked how alike they are.
    assert.match(await page.locator('.dups h1').innerText(), /^Duplicates 1 of \d+ groups$/)
    await press(page, 'Escape')
    await heading('4 smaller versions')
  })

  it('is all done by one key, but what stays apart, and all undone by one key', async () => {
    const [, apart, , first, , second, , third] = made
    // The one that is open.
    await press(page, 'k')
    await heading('3 smaller versions')
    await press(page, 'Shift+Enter')
    await page.getByText('3 cleaned up, 3 photos in the trash').waitFor()
    await page.getByRole('heading', { name: /smaller/ }).waitFor({ state: 'detached' })
    assert.equal(await isTrashed(apart!.copies[0]!), false)
    for (const { copies } of [first!, second!, third!]) {
      assert.equal(await isTrashed(copies[0]!), true)
    }
    await press(page, 'Shift+Enter')
    await page.getByText('2 cleaned up, 2 photos in the trash').waitFor()
    assert.equal(await proposed(), 0)
    await press(page, 'Control+z')
    await heading('2 exact copies')
    await press(page, 'Control+z')
    await heading('3 smaller versions')
    assert.equal(await proposed(), 5)
    for (const { photo, copies } of [1, 3, 4, 5, 6, 7].map((at) => made[at]!)) {
      for (const one of [photo, ...copies]) assert.equal(await isTrashed(one), false)
    }
  })

  it('keeps every two of many files apart, six pairs at a time, until somebody ends that', async () => {
    const [picture] = await madeUpPictures(1)
    for (let copy = 0; copy < 6; copy++) {
      const form = new FormData()
      form.set('file', new Blob([Uint8Array.from(picture!.bytes)]), 'burst.jpg')
      await gallery.call('POST', '/files', form)
    }
    await page.reload()
    await heading('3 exact copies')
    const details = row('burst.jpg').getByRole('button', { name: 'burst.jpg: details' })
    if ((await details.getAttribute('aria-expanded')) === 'false') await details.click()
    let dismissed = 0
    page.on('response', (answer) => {
      if (answer.url().endsWith('/dismiss') && answer.ok()) dismissed++
    })
    const { held, letGo } = await hold(page, { method: 'POST', path: '/duplicates/dismiss' })
    await press(page, 'k')
    await heading('2 exact copies')
    await press(page, 'Enter')
    await held
    await page.getByRole('progressbar', { name: '0 of 15' }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await letGo()
    // What follows waits for those that were sent.
    await page.getByText('1 cleaned up, 1 photo in the trash').waitFor()
    assert.equal(dismissed, 6)
    await row('burst.jpg').waitFor()
  })
})
