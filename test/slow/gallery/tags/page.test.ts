import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makeTags } from '../../../web/support/tags.ts'

const FILES = 6
const TAGS = 300

let gallery: OpenGallery
let page: Page
let ids: Record<string, string>

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: FILES, isSignedIn: false })
  page = gallery.page
  ids = await makeTags(gallery, TAGS)
  await put('holiday', gallery.ids.slice(0, 4))
  await put('work', gallery.ids.slice(3))
  // The offer to open tags comes after the list, and pushes it down, perhaps while something is dragged.
  await gallery.call('PUT', '/users/me/settings', { tags_offered: 'done' })
  await page.goto('/')
  await enter(page)
})

after(() => gallery?.close())

const put = (name: string, file_ids: string[]) =>
  gallery.call('POST', '/files/bulk/tags', { action: 'add', file_ids, tag_ids: [ids[name]] })

interface Tag {
  name: string
  color: string | null
  notes: string | null
  category_name: string | null
}
const tag = (name: string) => gallery.call<Tag>('GET', `/tags/${ids[name]}`)

async function filesOf(name: string): Promise<number> {
  const filter = encodeURIComponent(`{t=${ids[name]}}`)
  const path = `/files/ids?limit=1&filter=${filter}`
  return (await gallery.call<{ total: number }>('GET', path)).total
}

const list = () => page.locator('.cats')
const section = (name: string) => list().getByRole('region', { name })
const panel = (name: string) => page.getByRole('complementary', { name, exact: true })
const told = (words: string) => page.getByText(words, { exact: true }).waitFor()
const answerTo = (method: string) =>
  page.waitForResponse(
    (answer) => answer.request().method() === method && answer.url().includes('/api/'),
  )

async function open(name: string): Promise<void> {
  await page.goto(`/tags?at=${ids[name]}`)
  await panel(name).waitFor()
}

/** Does something that changes the library, and waits for the server's answer. */
async function changing(method: string, act: () => Promise<unknown>): Promise<number> {
  const answer = answerTo(method)
  await act()
  return (await answer).status()
}

/** Takes the last change back, and waits until the tags are read anew, after it. */
async function undo(): Promise<void> {
  let isUndone = false
  // The change itself has the tags read, too, and that answer may come later than that of the undo.
  const reads = new Set<Request>()
  const note = (request: Request) => {
    if (isUndone && request.url().includes('/api/v1/tags?')) reads.add(request)
  }
  page.on('request', note)
  const read = page.waitForResponse((answer) => {
    isUndone ||= answer.url().endsWith('/undo')
    return reads.has(answer.request())
  })
  await page.keyboard.press('Control+z')
  await read
  page.off('request', note)
}

describe('the tags', { skip: withoutChromium }, () => {
  it('stand by category, with their files and an arrow where others follow', async () => {
    await page.getByRole('link', { name: 'Edit tags' }).click()
    await section('People').getByText('3 tags').waitFor()
    assert.deepEqual(await section('Occasions').locator('.name').allInnerTexts(), [
      'Arezzo',
      'birthday',
      'holiday',
      'Italy',
      'trip',
    ])
    await section('Occasions').getByRole('link', { name: 'Arezzo has rules' }).waitFor()
    assert.equal(await list().getByRole('link', { name: 'has rules' }).count(), 1)
    await section('Occasions').getByRole('link', { name: 'holiday 4' }).waitFor()
  })

  it('stand by their files, too, and so after a reload', async () => {
    await page.getByLabel('By count').check({ force: true })
    await page.reload()
    await section('Occasions').getByRole('link', { name: 'holiday 4' }).waitFor()
    const names = section('Occasions').locator('.name')
    assert.equal(await names.first().innerText(), 'holiday')
    await page.getByLabel('By name').check({ force: true })
    assert.equal(await names.first().innerText(), 'Arezzo')
  })

  it('are found by three letters, opened and closed by keys alone', async () => {
    assert.equal(await press(page, '/', 'hol', 'Enter'), 5)
    await panel('holiday').waitFor()
    assert.deepEqual(await list().locator('.name').allInnerTexts(), ['holiday'])
    await page.keyboard.press('Escape')
    await panel('holiday').waitFor({ state: 'detached' })
    assert.match((await page.evaluate(() => document.activeElement?.textContent))!, /^holiday/)
    await page.keyboard.press('Enter')
    await panel('holiday').waitFor()
    await press(page, '/', 'Escape')
    await list().getByRole('link', { name: 'Arezzo' }).waitFor()
  })
})

describe('what is open', { skip: withoutChromium }, () => {
  it('is kept when a field is left, and comes back with one key', async () => {
    await open('holiday')
    const name = panel('holiday').getByLabel('Name')
    await name.fill('holidays')
    assert.equal(await changing('PATCH', () => name.press('Tab')), 200)
    await panel('holidays').getByRole('heading', { name: 'holidays' }).waitFor()
    await section('Occasions').getByRole('link', { name: 'holidays' }).waitFor()
    const notes = panel('holidays').getByLabel('Notes')
    await notes.fill('Two nights at least.')
    assert.equal(await changing('PATCH', () => notes.blur()), 200)
    const red = panel('holidays').getByLabel('red')
    assert.equal(await changing('PATCH', () => red.check({ force: true })), 200)
    const { name: now, notes: noted, color } = await tag('holiday')
    assert.deepEqual([now, noted, color], ['holidays', 'Two nights at least.', 'c2453f'])
    for (let step = 0; step < 3; step++) await undo()
    await panel('holiday').waitFor()
    const after = await tag('holiday')
    assert.deepEqual([after.name, after.notes, after.color], ['holiday', null, null])
    assert.equal(await panel('holiday').getByLabel('Notes').inputValue(), '')
  })

  it('is as it was when the server refuses, and says why', async () => {
    const name = panel('holiday').getByLabel('Name')
    await name.fill('trip')
    assert.equal(await changing('PATCH', () => name.press('Enter')), 409)
    await told('holiday stays as it was: This name is already taken.')
    assert.equal(await name.inputValue(), 'holiday')
    await section('Occasions').getByRole('link', { name: 'holiday' }).waitFor()
    await name.fill('nothing')
    await name.press('Escape')
    assert.equal(await name.inputValue(), 'holiday')
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  })

  it('goes to another category by a menu, or by being dropped on one', async () => {
    await panel('holiday').getByRole('button', { name: 'Category: Occasions' }).click()
    const people = page.getByRole('menuitemradio', { name: 'People' })
    assert.equal(await changing('PATCH', () => people.click()), 200)
    await section('People').getByRole('link', { name: 'holiday' }).waitFor()
    assert.equal((await tag('holiday')).category_name, 'People')
    await undo()
    await section('Occasions').getByRole('link', { name: 'holiday' }).waitFor()
    const source = section('Occasions').getByRole('link', { name: 'holiday' })
    const drop = () => source.dragTo(section('People').getByRole('heading'))
    assert.equal(await changing('PATCH', drop), 200)
    await section('People').getByRole('link', { name: 'holiday' }).waitFor()
    assert.equal((await tag('holiday')).category_name, 'People')
    await undo()
    assert.equal((await tag('holiday')).category_name, 'Occasions')
  })
})

describe('rules', { skip: withoutChromium }, () => {
  it('are sentences, made when it is known how many files get the tag', async () => {
    await open('holiday')
    const rules = panel('holiday').locator('.rules')
    await rules.getByRole('button', { name: 'New rule' }).click()
    assert.equal(await press(page, 'wor', 'Enter'), 4)
    // Four files are of holiday, one of them of work, too.
    await told('and to the 3 photos of holiday that lack it, now')
    await assertAccessible(page, 'a new rule')
    assert.equal(await changing('POST', () => page.keyboard.press('Enter')), 201)
    await told('work is on 3 photos more')
    await rules.getByText('4 photos have it').waitFor()
    await section('Occasions').getByRole('link', { name: 'holiday has rules' }).waitFor()
    assert.equal(await filesOf('work'), FILES)
    await undo()
    await rules.getByRole('switch').waitFor({ state: 'detached' })
    assert.equal(await filesOf('work'), 3)
    assert.deepEqual(await gallery.call('GET', `/tags/${ids.holiday}/rules`), [])
  })

  it('hold for later files alone when they are made so, and can be caught up', async () => {
    const rules = panel('holiday').locator('.rules')
    await rules.getByRole('button', { name: 'New rule' }).click()
    await press(page, 'wor', 'Enter')
    await rules.getByRole('switch', { name: 'and to the 3 photos' }).click()
    await changing('POST', () => rules.getByRole('button', { name: 'Create' }).click())
    await told('From now on, holiday also adds work')
    await rules.getByText('1 photo has it').waitFor()
    assert.equal(await filesOf('work'), 3)
    const more = rules.getByRole('button', { name: 'Add to 3 more' })
    await changing('PATCH', () => more.click())
    await rules.getByText('4 photos have it').waitFor()
    assert.equal(await filesOf('work'), FILES)
    await undo()
    await rules.getByText('1 photo has it').waitFor()
  })

  it('are switched off, deleted, and brought back, also from the tag that follows', async () => {
    await open('work')
    const rules = panel('work').locator('.rules')
    const rule = rules.getByRole('switch', { name: 'holiday also adds work' })
    await changing('PATCH', () => rule.click())
    await rules.getByText('off, 1 has both').waitFor()
    const remove = rules.getByRole('button', { name: 'Delete the rule' })
    await changing('DELETE', () => remove.click())
    await rule.waitFor({ state: 'detached' })
    assert.deepEqual(await gallery.call('GET', `/tags/${ids.holiday}/rules`), [])
    await undo()
    await rules.getByText('off, 1 has both').waitFor()
    await undo()
    await rule.and(page.locator('[aria-checked=true]')).waitFor()
  })
})

describe('two tags', { skip: withoutChromium }, () => {
  it('become one, when it is known what becomes of both', async () => {
    await gallery.call('POST', `/tags/${ids.holiday}/rules`, {
      then_tag_id: ids.trip,
      apply_to_existing: false,
    })
    await open('holiday')
    const box = panel('holiday').locator('.merge')
    await box.getByRole('combobox', { name: 'Another tag' }).focus()
    assert.equal(await press(page, 'wor', 'Enter'), 4)
    // Of the four files of holiday, one is of work, too.
    await box
      .getByText(
        '3 photos get work, 1 has it already. work keeps its name, notes and rights, and takes over 1 rule.',
      )
      .waitFor()
    await assertAccessible(page, 'merging')
    const button = box.getByRole('button', { name: 'Merge: 4 photos' })
    assert.equal(await changing('POST', () => button.click()), 200)
    await told('holiday is merged into work')
    await panel('work').getByRole('link', { name: '6 photos' }).waitFor()
    await panel('work').getByRole('switch', { name: 'work also adds trip' }).waitFor()
    // The list has gone to what is open.
    await section('No category').getByRole('link', { name: 'work' }).waitFor()
    await list().evaluate((element) => element.scrollTo(0, 0))
    await section('Occasions').getByRole('link', { name: 'trip' }).waitFor()
    assert.equal(await section('Occasions').getByRole('link', { name: 'holiday' }).count(), 0)
    assert.equal(await filesOf('work'), FILES)
    await undo()
    await section('Occasions').getByRole('link', { name: 'holiday has rules' }).waitFor()
    await panel('work').getByRole('link', { name: '3 photos' }).waitFor()
    assert.deepEqual([await filesOf('holiday'), await filesOf('work')], [4, 3])
  })

  it('are asked about when one is dropped on the other', async () => {
    const link = (name: string) => section('Occasions').getByRole('link', { name })
    await link('holiday').dragTo(link('birthday'))
    const box = panel('holiday').locator('.merge')
    await box.getByText('4 photos get birthday, 0 have it already.').waitFor()
    await box.getByRole('button', { name: 'Merge: 4 photos' }).waitFor()
    assert.equal(await filesOf('holiday'), 4)
    assert.equal((await tag('holiday')).category_name, 'Occasions')
  })
})

describe('tags that come and go', { skip: withoutChromium }, () => {
  it('are deleted with a word on their files, and come back', async () => {
    await open('holiday')
    await told('4 photos lose it, none is deleted')
    const button = panel('holiday').getByRole('button', { name: 'Delete', exact: true })
    await changing('DELETE', () => button.click())
    await told('holiday is deleted')
    const link = section('Occasions').getByRole('link', { name: 'holiday' })
    assert.equal(await link.count(), 0)
    // The one beside it has the focus.
    assert.match((await page.evaluate(() => document.activeElement?.textContent))!, /^Italy/)
    await undo()
    await section('Occasions').getByRole('link', { name: 'holiday has rules 4' }).waitFor()
    assert.equal(await filesOf('holiday'), 4)
  })

  it('are made by a key, in a category, and taken back', async () => {
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New tag' })
    await dialog.waitFor()
    await assertAccessible(page, 'a new tag')
    await page.keyboard.type('trip')
    await page.keyboard.press('Enter')
    await dialog.getByText('This name is already taken.').waitFor()
    await dialog.getByLabel('Name').fill('harbour')
    await dialog.getByRole('combobox', { name: 'Category' }).selectOption('People')
    await changing('POST', () => page.keyboard.press('Enter'))
    await panel('harbour').waitFor()
    await section('People').getByRole('link', { name: 'harbour' }).waitFor()
    await undo()
    await panel('harbour').waitFor({ state: 'detached' })
    assert.equal(await list().getByRole('link', { name: 'harbour' }).count(), 0)
  })
})

describe('categories', { skip: withoutChromium }, () => {
  const headings = () => list().getByRole('heading').allInnerTexts()

  it('are made, renamed, put in another order and deleted, and come back', async () => {
    await page.goto('/tags')
    await page.getByRole('button', { name: 'New category' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Nature')
    await changing('POST', () => page.keyboard.press('Enter'))
    await panel('Nature').waitFor()
    assert.deepEqual(await headings(), ['Nature', 'Occasions', 'People', 'No category'])
    await assertAccessible(page, 'a category')

    const down = panel('Nature').getByRole('button', { name: 'Move down' })
    await changing('PATCH', () => down.click())
    assert.deepEqual(await headings(), ['Occasions', 'Nature', 'People', 'No category'])
    const side = page.getByRole('navigation', { name: 'Tags' }).getByRole('heading')
    assert.deepEqual(await side.allInnerTexts(), ['Occasions', 'People', 'No category'])
    await page.reload()
    await panel('Nature').waitFor()
    // The tags themselves may come after the categories.
    await list().getByRole('heading', { name: 'No category' }).waitFor()
    assert.deepEqual(await headings(), ['Occasions', 'Nature', 'People', 'No category'])

    await list().getByRole('link', { name: 'Edit People' }).click()
    const name = panel('People').getByLabel('Name')
    await name.fill('Folk')
    await changing('PATCH', () => name.press('Enter'))
    await section('Folk').getByText('3 tags').waitFor()
    const button = panel('Folk').getByRole('button', { name: 'Delete', exact: true })
    await changing('DELETE', () => button.click())
    await section('No category').getByRole('link', { name: 'Jonas' }).waitFor()
    await undo()
    await section('Folk').getByRole('link', { name: 'Jonas' }).waitFor()
  })
})

describe('who may see a tag', { skip: withoutChromium }, () => {
  it('is said in words, and what others may not change stays', async () => {
    const anna = { name: 'Anna', password: 'a password of Anna', can_create: true }
    const { id: user_id } = await gallery.call<{ id: number }>('POST', '/users', anna)
    await open('work')
    // Below all others without a category.
    await section('No category').getByRole('link', { name: 'work' }).waitFor()
    await open('trip')
    await told('Only you')
    const permissions = [{ user_id, can_view: true, can_edit: false }]
    await gallery.call('PUT', `/acl/tag/${ids.trip}`, { permissions })
    await open('trip')
    await told('You and Anna')
    await gallery.call('PATCH', `/tags/${ids.trip}`, { is_public: true })
    permissions[0]!.can_edit = true
    await gallery.call('PUT', `/acl/tag/${ids.trip}`, { permissions })
    await open('trip')
    await told('Everybody; Anna may edit')
    await gallery.call('PATCH', `/tags/${ids.holiday}`, { is_public: true })

    const other = await gallery.stranger()
    await other.goto(`/tags?at=${ids.holiday}`)
    await enter(other, anna.name, anna.password)
    await other.getByText('Everybody; It is admin’s', { exact: true }).waitFor()
    await other.getByRole('complementary').getByLabel('Name').fill('mine')
    await other.keyboard.press('Enter')
    await other.getByText('holiday stays as it was: You are not allowed to do that').waitFor()
    assert.equal((await tag('holiday')).name, 'holiday')
    await other.close()
  })
})

describe('tags on a phone', { skip: withoutChromium }, () => {
  it('open in a sheet, which is reached from all tags', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/')
    await page.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Edit tags' }).click()
    await page.waitForURL('**/tags')
    await list().getByRole('link', { name: 'holiday' }).click()
    const sheet = page.getByRole('dialog', { name: 'holiday' })
    await sheet.getByRole('button', { name: 'Notes' }).click()
    await sheet.getByLabel('Notes').waitFor()
    await assertAccessible(page, 'a tag on a phone')
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    await page.waitForURL('**/tags')
  })
})
