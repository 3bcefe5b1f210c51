import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Schemas } from '../../../../src/client/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { countAdded, watchRequests } from '../../../web/support/drive.ts'
import { press } from '../../../web/support/keys.ts'
import {
  type LookAlikes,
  lookAgain,
  makeLookAlikes,
  shownPair,
} from '../../../web/support/look-alikes.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { refuse } from '../../../web/support/refuse.ts'
import { isToldBeside } from '../../../web/support/touch.ts'

const skip = withoutChromium
/** Nodes that are put into the document between a key and the next pair. */
const NODES = 200

let gallery: OpenGallery
let page: Page
let made: LookAlikes[]

before(async () => {
  if (skip) return
  gallery = await openGallery()
  page = gallery.page
  // The last one has two copies.
  made = await makeLookAlikes(gallery, { count: 10, copyings: ['smaller', 'brightened'] })
  await lookAgain(gallery)
})

after(() => gallery?.close())

const file = (id: string) => gallery.call<Schemas['File']>('GET', `/files/${id}`)
const placeIs = (place: number) => page.getByText(`${place} of 10`).waitFor()
const tagsOf = ({ tags }: Schemas['File']) => tags.map(({ name }) => name).sort()
const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const answer = (end: string) =>
  page.waitForResponse((one) => one.request().method() === 'POST' && one.url().endsWith(end))

const mia = { name: 'Mia', password: 'a password of Mia', can_create: true }

/** Uploads the content of a file once more, as Mia; returns the id that it has. */
async function copyOf(id: string): Promise<string> {
  const { access_token } = await gallery.call<{ access_token: string }>('POST', '/auth/login', mia)
  const content = await fetch(`${gallery.url}/api/v1/files/${id}/content`, {
    headers: { Authorization: `Bearer ${gallery.token}` },
  })
  const form = new FormData()
  form.set('file', await content.blob(), 'copy.jpg')
  const uploaded = await fetch(`${gallery.url}/api/v1/files`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}` },
    body: form,
  })
  assert.equal(uploaded.status, 201)
  return ((await uploaded.json()) as { id: string }).id
}

/** Presses a key, and returns once the server has answered what it asks for. */
async function decide(key: string, end = '/duplicates/resolve'): Promise<void> {
  const answered = answer(end)
  await press(page, key)
  assert.ok((await answered).ok())
}

describe('the duplicates, one by one', { skip }, () => {
  it('show the better one on the left, and what differs', async () => {
    await page.goto('/duplicates?at=one-by-one')
    const { photo, copies } = made[0]!
    assert.deepEqual(await shownPair(page), [photo.id, copies[0]!.id])
    await placeIs(1)
    await row('Albums').waitFor()
    assert.deepEqual(await page.getByRole('rowheader').allInnerTexts(), [
      'Photo',
      'Name',
      'Taken',
      'Tags: both',
      'Albums: both',
    ])
    assert.deepEqual(await row('Tags').getByRole('cell').allInnerTexts(), [
      'Anna, Italy',
      'Anna, Jonas, holiday',
    ])
    assert.deepEqual(await row('Albums').getByRole('cell').allInnerTexts(), ['Spring', 'Summer'])
    assert.equal(await row('Taken').getByRole('radio').first().isChecked(), true)
    await assertAccessible(page, 'one by one')
  })

  it('settle a pair by one key, and have the next one loaded by then', async () => {
    const [{ photo, copies }, next] = [made[0]!, made[1]!]
    const requests = watchRequests(page)
    await requests.idle()
    const loaded = requests.take()
    const added = await countAdded(page)
    const answered = answer('/duplicates/resolve')
    await press(page, 'ArrowLeft')
    const pair = await shownPair(page)
    const nodes = await added()
    assert.deepEqual(new Set(pair), new Set([next.photo.id, next.copies[0]!.id]))
    assert.ok((await answered).ok())
    await requests.idle()
    const asked = requests.take().filter((path) => pair.some((id) => path.includes(id)))
    assert.deepEqual(asked, [], `after ${loaded.length} before`)
    assert.ok(nodes < NODES, `${nodes} nodes`)
    const kept = await file(photo.id)
    assert.deepEqual(tagsOf(kept), ['Anna', 'Italy', 'Jonas', 'holiday'])
    assert.equal(kept.content_datetime, photo.date)
    assert.equal((await file(copies[0]!.id)).is_deleted, true)
    await placeIs(2)
  })

  it('take that back by one key', async () => {
    await press(page, 'Control+z')
    await placeIs(1)
    const { photo, copies } = made[0]!
    assert.deepEqual(await shownPair(page), [photo.id, copies[0]!.id])
    assert.equal((await file(copies[0]!.id)).is_deleted, false)
    assert.deepEqual(tagsOf(await file(photo.id)), ['Anna', 'Italy'])
  })

  it('tell what was done beside what is pressed next, on phones too', async () => {
    await page.locator('.toast', { hasText: 'Undone' }).waitFor()
    for (const size of [{ width: 390, height: 844 }, page.viewportSize()!]) {
      await page.setViewportSize(size)
      assert.ok(await isToldBeside(page, '.acts'))
      assert.ok(await isToldBeside(page, '.diff'))
    }
  })

  it('do what was chosen, and mean sides by arrows after it', async () => {
    const { photo, copies } = made[0]!
    await row('Taken').getByRole('radio').last().check({ force: true })
    await page.getByRole('button', { name: 'Tags: both' }).click()
    await row('Tags: its own').waitFor()
    await row('Name').getByRole('radio').last().click({ force: true })
    const copy = await file(copies[0]!.id)
    await decide('ArrowLeft')
    const kept = await file(photo.id)
    assert.deepEqual(tagsOf(kept), ['Anna', 'Italy'])
    assert.equal(kept.content_datetime, copy.content_datetime)
    assert.equal(kept.original_name, copies[0]!.name)
  })

  it('keep the right one by one key', async () => {
    const [left, right] = await shownPair(page)
    await decide('ArrowRight')
    assert.equal((await file(left)).is_deleted, true)
    assert.equal((await file(right)).is_deleted, false)
    await placeIs(3)
  })

  it('come again after the others, or both go to the trash', async () => {
    const first = await shownPair(page)
    await press(page, 'l')
    const pair = await shownPair(page)
    assert.notDeepEqual(pair, first)
    await decide('x', '/bulk/delete')
    for (const id of pair) assert.equal((await file(id)).is_deleted, true)
    await placeIs(4)
  })

  it('stay both, which is taken back as long as nothing follows', async () => {
    const [left, right] = await shownPair(page)
    await press(page, 'k')
    await placeIs(5)
    await press(page, 'Control+z')
    await placeIs(4)
    assert.deepEqual(await shownPair(page), [left, right])
    await press(page, 'k')
    await placeIs(5)
    const dismissed = answer('/duplicates/dismiss')
    await decide('ArrowLeft')
    assert.ok((await dismissed).ok())
    for (const id of [left, right]) assert.equal((await file(id)).is_deleted, false)
    const { total } = await gallery.call<{ total: number }>('GET', '/files/duplicates')
    assert.equal(total, 5)
  })

  it('come back when the server refuses', async () => {
    const pair = await shownPair(page)
    const letThrough = await refuse(page, {
      method: 'POST',
      path: '/files/duplicates/resolve',
      status: 403,
      code: 'forbidden',
    })
    await press(page, 'ArrowLeft')
    await page.getByText('You are not allowed to do that').waitFor()
    await letThrough()
    // After the one that is looked at meanwhile.
    await decide('ArrowLeft')
    assert.deepEqual(await shownPair(page), pair)
  })
})

describe('two pictures', { skip }, () => {
  const pictures = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.pair .layers')].map((one) => {
        const { x, y, width } = one.getBoundingClientRect()
        const stage = one.parentElement!.getBoundingClientRect()
        return [x - stage.x, y - stage.y, width].map(Math.round)
      }),
    )

  it('are zoomed and moved in step, whatever their sizes', async () => {
    const whole = await pictures()
    const { x, y, width, height } = (await page.locator('.pair figure').first().boundingBox())!
    await page.mouse.move(x + width / 4, y + height / 4)
    await page.locator('.loupe').nth(1).waitFor()
    await press(page, 'z')
    await page.locator('.map').waitFor()
    await page.mouse.down()
    await page.mouse.move(x + width / 4 + 40, y + height / 4 + 30)
    await page.mouse.up()
    const [left, right] = await pictures()
    assert.deepEqual(left, right)
    assert.ok(left![2]! > whole[0]![2]!)
    await press(page, 'z')
    assert.deepEqual(await pictures(), whole)
    await page.mouse.move(0, 0)
  })

  it('blink: one turn for each tap, one each 200 ms while the key is held', async () => {
    // Another browser, because its time is the test's.
    const own = await gallery.stranger()
    await own.clock.install()
    await own.goto('/duplicates?at=one-by-one')
    await enter(own)
    await shownPair(own)
    await own.clock.pauseAt((await own.evaluate(() => Date.now())) + 60_000)
    const left = own.locator('.pair figure').first()
    const off = own.locator('.pair figure.off')
    const isLeftOff = () => left.evaluate((one) => one.matches('.off'))
    await press(own, 'b')
    await off.waitFor({ state: 'attached' })
    const first = await isLeftOff()
    await press(own, 'b')
    await eventually(async () => (await isLeftOff()) === !first)
    await left.evaluate((figure) => {
      const turns: boolean[] = []
      Object.assign(globalThis, { turns })
      new MutationObserver(() => turns.push(figure.matches('.off'))).observe(figure, {
        attributes: true,
      })
    })
    const turns = () => own.evaluate<boolean[]>('turns')
    await own.keyboard.down('b')
    await eventually(async () => (await turns()).length === 1)
    for (const _ of [1, 2, 3]) await own.clock.runFor(200)
    await own.clock.runFor(199)
    await own.keyboard.up('b')
    await own.clock.runFor(1000)
    assert.deepEqual(await turns(), [first, !first, first, !first])
    await press(own, 'Escape')
    await off.waitFor({ state: 'detached' })
    await own.context().close()
  })

  it('show what differs', async () => {
    await press(page, 'd')
    const told = page.getByText(/% differ/)
    await told.waitFor()
    await assertAccessible(page, 'difference')
    const few = Number.parseFloat(await told.innerText())
    await page.getByLabel('How much a pixel must differ').fill('1')
    // What differs less is counted, too.
    await page.waitForFunction(
      ([element, before]) => Number.parseFloat(element.textContent!) > before,
      [(await told.elementHandle())!, few] as const,
    )
    await press(page, 'd')
  })
})

describe('a group of three', { skip }, () => {
  it('shows any two of its files by their digits', async () => {
    const { photo, copies } = made[9]!
    const ids = [photo, ...copies].map(({ id }) => id)
    for (let pair = await shownPair(page); !ids.includes(pair[0]); pair = await shownPair(page)) {
      await decide('ArrowLeft')
    }
    const [left, right] = await shownPair(page)
    const third = ids.find((id) => id !== left && id !== right)!
    await page.getByRole('navigation', { name: 'Photos in this group' }).waitFor()
    await assertAccessible(page, 'a group of three')
    await press(page, '3')
    assert.deepEqual(await shownPair(page), [left, third])
    await press(page, '3')
    assert.deepEqual(await shownPair(page), [third, left])
    await press(page, '2')
    assert.deepEqual(await shownPair(page), [third, right])
  })

  it('goes on with what is left of it', async () => {
    const [left] = await shownPair(page)
    await decide('ArrowLeft')
    const pair = await shownPair(page)
    assert.ok(pair.includes(left))
    await decide('ArrowLeft')
  })
})

describe('the end', { skip }, () => {
  it('tells that nothing is left, and looks again', async () => {
    for (;;) {
      const left = await gallery.call<{ total: number }>('GET', '/files/duplicates')
      if (left.total === 0) break
      await decide('ArrowLeft')
    }
    await page.getByText('All cleaned up').waitFor()
    const startedAt = async () =>
      (await gallery.call<Schemas['RescanState']>('GET', '/files/duplicates/rescan')).started_at!
    const before = await startedAt()
    await page
      .getByText(/^Last scan:/)
      .first()
      .waitFor()
    await assertAccessible(page, 'nothing left')
    const readAnew = page.waitForResponse(/\/files\/duplicates\/ids\?limit=8/)
    await page.getByRole('button', { name: 'Scan again' }).click()
    assert.ok((await readAnew).ok())
    assert.ok((await startedAt()) > before)
    await page.goto('/duplicates?at=one-by-one')
    await page.getByText('No look-alikes').waitFor()
  })

  it('reads anew when somebody else has looked again', async () => {
    const readAnew = page.waitForResponse(/\/files\/duplicates\/ids\?limit=8/)
    await lookAgain(gallery)
    assert.ok((await readAnew).ok())
  })
})

describe('a pair of two creators', { skip }, () => {
  it('says who would lose it', async () => {
    await gallery.call('POST', '/users', mia)
    const { photo } = made[0]!
    await copyOf(photo.id)
    await lookAgain(gallery)
    await page.goto('/duplicates?at=one-by-one')
    const isLeft = (await shownPair(page))[0] === photo.id
    const inOrder = (own: string, other: string) => (isLeft ? [own, other] : [other, own])
    await row('Would lose access').getByText('Mia').waitFor()
    // Until all is read of who may see them.
    await eventually(
      async () => !(await row('Would lose access').innerText()).includes('perhaps others'),
    )
    assert.deepEqual(
      await row('Would lose access').getByRole('cell').allInnerTexts(),
      inOrder('Mia', '–'),
    )
    assert.deepEqual(
      await row('Seen by').getByRole('cell').allInnerTexts(),
      inOrder('only you', 'Mia'),
    )
  })

  it('stays both, also when the tab is hidden before anything follows', async () => {
    const dismissed = answer('/duplicates/dismiss')
    await press(page, 'k')
    await page.getByText('All cleaned up').waitFor()
    const { total } = await gallery.call<{ total: number }>('GET', '/files/duplicates')
    assert.equal(total, 1)
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    assert.ok((await dismissed).ok())
    const left = await gallery.call<{ total: number }>('GET', '/files/duplicates')
    assert.equal(left.total, 0)
  })
})

describe('both to the trash', { skip }, () => {
  it('passes over what belongs to others, and says so', async () => {
    const { photo } = made[2]!
    await gallery.call('PATCH', `/files/${photo.id}`, { is_public: true })
    const other = await gallery.stranger()
    await other.goto('/duplicates?at=one-by-one')
    await enter(other, mia.name, mia.password)
    const copy = await copyOf(photo.id)
    await lookAgain(gallery)
    await other.reload()
    const pair = await shownPair(other)
    assert.deepEqual([...pair].sort(), [photo.id, copy].sort())
    await press(other, 'x')
    await other.getByText('You are not allowed to do that').waitFor()
    assert.equal((await file(photo.id)).is_deleted, false)
    assert.equal((await file(copy)).is_deleted, true)
    await other.context().close()
  })
})
