import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../../support/eventually.ts'
import { after, before, beforeEach, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makeTags } from '../../../web/support/tags.ts'
import { isToldBeside } from '../../../web/support/touch.ts'

const FILES = 60

let gallery: OpenGallery
let page: Page
let tag: Record<string, string>

before(async () => {
  if (withoutChromium) return
  // High enough for 50 files in a row to be seen at once.
  gallery = await openGallery({ files: FILES, size: { width: 1440, height: 4000 } })
  page = gallery.page
  tag = await makeTags(gallery, 2000)
})

after(() => gallery?.close())

beforeEach(async () => {
  if (withoutChromium) return
  await open(page)
})

async function open(own: Page): Promise<void> {
  await own.goto('/')
  await own.locator('.cell img[src]').first().waitFor()
  await own.getByRole('link', { name: /^Arezzo/ }).waitFor()
}

const tick = (index: number) =>
  page.locator('.cell').nth(index).locator('.tick').click({ force: true })
const toast = (text: string) => page.locator('.toast', { hasText: text })
const chip = (name: string) => page.locator('.tagging .chip', { hasText: name })
/** The names of a file's tags. */
async function tagsOf(index: number): Promise<string[]> {
  const path = `/files/${gallery.ids[index]}/tags`
  const tags = await gallery.call<{ name: string }[]>('GET', path)
  return tags.map(({ name }) => name).sort()
}
/** Waits until the server has what the page has shown already. */
async function settled(index: number, ...names: string[]): Promise<void> {
  await eventually(async () => String(await tagsOf(index)) === String(names))
}

describe('tagging by keys', { skip: withoutChromium }, () => {
  it('puts a known tag on with 5 keys, and tells before what comes along', async () => {
    await tick(0)
    let keys = await press(page, 't')
    await page.getByRole('combobox', { name: 'Add a tag' }).waitFor()
    keys += await press(page, 'are')
    await page
      .getByText('also adds Italy, trip')
      .or(page.getByText('also adds trip, Italy'))
      .waitFor()
    await assertAccessible(page, 'tagging')
    keys += await press(page, 'Enter')
    assert.equal(keys, 5)
    await settled(0, 'Arezzo', 'Italy', 'trip')
    // What came by a rule says so; the box stays for the next one, until Escape.
    await chip('trip').getByText('by rule').waitFor()
    await press(page, 'Escape')
    await page.getByRole('combobox', { name: 'Add a tag' }).waitFor({ state: 'hidden' })
    assert.equal(await page.locator('.cell[aria-selected="true"]').count(), 1)
  })

  it('waits with Enter for the tags to be read', async () => {
    const held = Promise.withResolvers<void>()
    const ofTags = /\/api\/v1\/tags(\?|$)/
    await page.route(ofTags, (route) => held.promise.then(() => route.continue()))
    await page.goto('/')
    await page.locator('.cell img[src]').first().waitFor()
    await tick(7)
    await page.getByText('1 selected').waitFor()
    await press(page, 't')
    await page.getByRole('combobox', { name: 'Add a tag' }).waitFor()
    await press(page, 'are', 'Enter')
    assert.deepEqual(await tagsOf(7), [])
    held.resolve()
    await settled(7, 'Arezzo', 'Italy', 'trip')
    await page.unroute(ofTags)
    await chip('trip').getByText('by rule').waitFor()
    await press(page, 'Escape', 'Control+z')
    await settled(7)
  })

  it('repeats tags with one key, and those of the last file with another', async () => {
    await tick(1)
    await press(page, '1')
    await settled(1, 'Arezzo', 'Italy', 'trip')
    await press(page, 't', 'jon', 'Enter', 'Escape')
    await settled(1, 'Arezzo', 'Italy', 'Jonas', 'trip')
    await tick(1)
    await tick(2)
    assert.equal(await press(page, '0'), 1)
    await settled(2, 'Arezzo', 'Italy', 'Jonas', 'trip')
    await press(page, 'Control+z')
    await settled(2)
  })

  it('tags 50 files in a row with 7 clicks and keys, and takes that back', async () => {
    await tick(5)
    await page
      .locator('.cell')
      .nth(54)
      .click({ modifiers: ['Shift'] })
    await page.getByText('50 selected').waitFor()
    assert.equal(2 + (await press(page, 't', 'hol', 'Enter')), 7)
    await toast('holiday added to 50 photos').waitFor()
    // The next tag can be put on at once.
    assert.ok(await isToldBeside(page, '.select .above'))
    assert.ok(await isToldBeside(page, '.select > .num'))
    await page.getByRole('link', { name: 'holiday 50' }).waitFor()
    assert.deepEqual(await tagsOf(5), ['holiday'])
    assert.deepEqual(await tagsOf(54), ['holiday'])
    await page.getByText('50 selected').waitFor()
    await toast('holiday added to 50 photos').getByRole('button', { name: /Undo/ }).click()
    await toast('Undone').waitFor()
    await chip('holiday').waitFor({ state: 'detached' })
    assert.deepEqual(await tagsOf(54), [])
  })

  it('tags all of a filter with 6 keys, and shows what is on some of them', async () => {
    const filter = `{!,t=${tag.Arezzo}}`
    await page.goto(`/?filter=${encodeURIComponent(filter)}`)
    await page.getByText('58 photos').first().waitFor()
    await page.getByRole('link', { name: /^Arezzo/ }).waitFor()
    assert.equal(await press(page, 'Control+a', 't', 'bir', 'Enter'), 6)
    await toast('birthday added to 58 photos').waitFor()
    await open(page)
    await press(page, 'Control+a', 't')
    const partial = page.getByRole('button', { name: /^birthday, on some of the photos/ })
    await partial.click()
    await toast('birthday added to 60 photos').waitFor()
    assert.equal(await partial.count(), 0)
    await page.getByRole('button', { name: 'Remove birthday' }).click()
    await toast('birthday removed from 60 photos').waitFor()
    assert.deepEqual(await tagsOf(30), [])
  })

  it('makes a tag with category and colour in place', async () => {
    await tick(9)
    await press(page, 't', 'snow', 'Shift+Enter')
    const form = page.getByRole('form', { name: 'Create “snow”' })
    await form.getByRole('combobox', { name: 'Category' }).selectOption('Occasions')
    await form.getByRole('radio', { name: 'blue' }).check({ force: true })
    await assertAccessible(page, 'new tag')
    await form.getByRole('button', { name: 'Create and add' }).click()
    await settled(9, 'snow')
    await page.getByRole('link', { name: 'snow 1' }).waitFor()
    const found = await gallery.call<{ items: object[] }>('GET', '/tags?search=snow')
    const { name, color, category_name } = found.items[0] as Record<string, string>
    assert.deepEqual(
      { name, color, category_name },
      {
        name: 'snow',
        color: '3b82c4',
        category_name: 'Occasions',
      },
    )
  })
})

describe('the tag of one key', { skip: withoutChromium }, () => {
  it('is put on and taken off, and asked for the first time', async () => {
    const { ids } = gallery
    const known = async (index: number, isOn: boolean) => {
      const others = (await tagsOf(index)).filter((name) => name !== 'grandparents')
      await settled(index, ...(isOn ? [...others, 'grandparents'].sort() : others))
    }
    await page.locator(`.cell a[data-id="${ids[20]}"]`).click()
    await page.locator('.layers img[alt="picture 21.jpg"]').waitFor()
    await page.locator('.tagging').last().waitFor()
    await page.keyboard.press('Shift+F')
    const dialog = page.getByRole('dialog', { name: 'The one-key tag' })
    await assertAccessible(page, 'the tag of one key')
    await dialog.getByRole('combobox').waitFor()
    await press(page, 'grandp', 'Enter')
    await dialog.waitFor({ state: 'detached' })
    await chip('grandparents').waitFor()
    await known(20, true)
    await page.keyboard.press('Shift+F')
    await chip('grandparents').waitFor({ state: 'detached' })
    await known(20, false)
    await page.keyboard.press('Control+z')
    await chip('grandparents').waitFor()
    await page.keyboard.press('Escape')

    // Of two files one has it: that is completed first.
    await tick(20)
    await tick(21)
    await page.keyboard.press('Shift+F')
    await known(21, true)
    await toast('added to 2 photos').waitFor()
    await page.keyboard.press('Shift+F')
    await known(21, false)
    await known(20, false)

    await page.goto('/settings')
    const row = page.locator('.choice', { hasText: 'Tag for Shift+F' })
    const put = row.locator('.chip', { hasText: 'grandparents' })
    const [tagBox, buttonBox] = [
      (await put.boundingBox())!,
      (await row.locator('.btn').boundingBox())!,
    ]
    assert.equal(tagBox.y + tagBox.height / 2, buttonBox.y + buttonBox.height / 2)
    const kept = page.waitForResponse((response) => response.request().method() === 'PUT')
    await row.getByRole('button', { name: 'Choose' }).click()
    await press(page, 'hol', 'Enter')
    await row.locator('.chip', { hasText: 'holiday' }).waitFor()
    await kept
    const settings = await gallery.call<{ tag: string }>('GET', '/users/me/settings')
    assert.equal(settings.tag, tag.holiday)
  })
})

describe('the bar of what is selected', { skip: withoutChromium }, () => {
  it('marks as reviewed, moves dates and trashes, and each is taken back', async () => {
    await tick(0)
    await tick(1)
    await press(page, 'r')
    await toast('2 photos are reviewed').waitFor()
    const file = () =>
      gallery.call<{ needs_review: boolean; content_datetime: string; is_deleted: boolean }>(
        'GET',
        `/files/${gallery.ids[0]}`,
      )
    assert.equal((await file()).needs_review, false)
    await press(page, 'd')
    await page.getByLabel('Days').fill('2')
    await page.getByLabel('Hours').fill('1')
    await page.getByText(/^14 July 2018.* 16:00 becomes 16 July 2018.* 17:00$/).waitFor()
    await assertAccessible(page, 'dates')
    await page.getByRole('button', { name: 'Change 2 dates' }).click()
    await toast('2 photos have new dates').waitFor()
    assert.equal((await file()).content_datetime, '2018-07-16T17:00:00.000Z')
    await page.getByText('2 selected').waitFor()
    await press(page, 'Delete')
    await toast('2 photos are in the trash').waitFor()
    assert.equal((await file()).is_deleted, true)
    await press(page, 'Control+z', 'Control+z', 'Control+z')
    await toast('Undone').nth(2).waitFor()
    const { needs_review, content_datetime, is_deleted } = await file()
    assert.deepEqual(
      { needs_review, content_datetime, is_deleted },
      { needs_review: true, content_datetime: '2018-07-14T16:00:00.000Z', is_deleted: false },
    )
  })

  it('sets a day, a month or a year of what is selected', async () => {
    await tick(0)
    await tick(1)
    const kept = async () => {
      const files = gallery.ids
        .slice(0, 2)
        .map((id) =>
          gallery.call<{ content_datetime: string; date_precision: string | null }>(
            'GET',
            `/files/${id}`,
          ),
        )
      return (await Promise.all(files)).map((file) => [file.content_datetime, file.date_precision])
    }
    const before = await kept()
    const dialog = page.getByRole('dialog', { name: 'Dates of 2 photos' })
    const change = dialog.getByRole('button', { name: 'Change 2 dates' })
    const field = dialog.getByLabel('Date and time', { exact: true })
    const set = async (part: string, value: string, example: RegExp) => {
      await press(page, 'd')
      await dialog.getByText('Set all to').click()
      await dialog.getByLabel('How much is known').selectOption(part)
      assert.equal(await change.isDisabled(), true)
      await field.fill(value)
      await dialog.getByText(example).waitFor()
    }
    const send = async () => {
      await change.click()
      await dialog.waitFor({ state: 'detached' })
      await toast('2 photos have new dates').last().waitFor()
    }
    await set('The year', '1987', /^14 July 2018.* 16:00 becomes 1987$/)
    await assertAccessible(page, 'dates known in part')
    await send()
    const year = ['1987-07-02T12:00:00.000Z', 'year']
    assert.deepEqual(await kept(), [year, year])
    await press(page, 'Control+z')
    await toast('Undone').waitFor()
    assert.deepEqual(await kept(), before)
    await set('The month', '1987-06', /becomes June 1987$/)
    // What is there already is given as a day in it.
    await dialog.getByLabel('How much is known').selectOption('The day')
    assert.match(await field.inputValue(), /^1987-06-\d\d$/)
    await field.fill('1987-06-05')
    await dialog.getByText(/becomes 5 June 1987$/).waitFor()
    await send()
    const day = ['1987-06-05T12:00:00.000Z', 'day']
    assert.deepEqual(await kept(), [day, day])
    await press(page, 'Control+z')
    await toast('Undone').nth(1).waitFor()
    assert.deepEqual(await kept(), before)
  })

  it('tells which files belong to others, and why a tag could not be put on', async () => {
    const { call, ids, stranger } = gallery
    await call('POST', '/users', { name: 'Kim', password: PASSWORD, can_create: true })
    await call('POST', '/files/bulk/update', { file_ids: ids, set: { is_public: true } })
    const users = (await call<{ items: { id: number; name: string }[] }>('GET', '/users')).items
    const kim = users.find(({ name }) => name === 'Kim')!.id
    await call('POST', '/files/bulk/share', {
      file_ids: ids.slice(0, 2),
      add: [{ user_id: kim, can_edit: true }],
    })
    await call('PATCH', `/tags/${tag.work}`, { is_public: true })
    await call('PATCH', `/tags/${tag.Arezzo}`, { is_public: true })
    page = await stranger()
    await page.goto('/')
    await enter(page, 'Kim')
    await open(page)
    for (const index of [0, 1, 2, 3, 4]) await tick(index)
    await press(page, 't', 'wor', 'Enter')
    await toast('2 of 5; 3 belong to others').getByRole('button', { name: 'Show the 3' }).click()
    await page.getByText('3 selected').waitFor()
    assert.ok((await tagsOf(1)).includes('work'))
    assert.ok(!(await tagsOf(2)).includes('work'))
    await press(page, 'Escape', 'Escape')
    await tick(7)
    await press(page, 't', 'wor', 'Enter')
    await toast('Not tagged: You are not allowed to do that').waitFor()
    await chip('work').waitFor({ state: 'detached' })
  })
})
