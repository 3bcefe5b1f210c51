import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, beforeEach, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import {
  type OpenGallery,
  openGallery,
  PASSWORD,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { makePool } from '../../web/support/pool.ts'
import { makeTags } from '../../web/support/tags.ts'
import { isToldBeside, missedByFingers } from '../../web/support/touch.ts'

let gallery: OpenGallery
let page: Page
let tag: Record<string, string>

before(async () => {
  if (withoutChromium) return
  const size = { width: 390, height: 844 }
  gallery = await openGallery({ files: 20, size, isTouch: true })
  page = gallery.page
  tag = await makeTags(gallery, 12)
  await gallery.call('POST', '/users', { name: 'Anna', password: PASSWORD })
  const { call, ids } = gallery
  await call('POST', '/files/bulk/tags', {
    file_ids: ids.slice(0, 8),
    action: 'add',
    tag_ids: [tag.Arezzo, tag.holiday],
  })
  await call('POST', '/files/bulk/delete', { file_ids: ids.slice(-4) })
})

after(() => gallery?.close())

beforeEach(async () => {
  if (withoutChromium) return
  await page.goto('/')
  await seen()
})

const seen = () => page.locator('.cell img[src]').first().waitFor()
const sheet = () => page.getByRole('dialog', { name: 'Tags' })
const tab = (name: string) => page.locator('.tabs').getByText(name)

/** Selects files as a long press does. */
async function select(count: number): Promise<void> {
  for (let place = 0; place < count; place++) {
    await page
      .locator('.cell')
      .nth(place)
      .click({ modifiers: ['Shift'] })
  }
  await page.getByText(`${count} selected`).waitFor()
}

/** Opens the dialog for what is selected, with somebody found and the words of who sees it. */
async function share(): Promise<void> {
  await page.getByRole('button', { name: 'Share' }).tap()
  await page.getByRole('combobox', { name: 'Share with' }).fill('an')
  await page.getByText('Anna sees all 3.').waitFor()
}

describe('a phone', { skip: withoutChromium }, () => {
  it('shows everything that is touched, and large enough', async () => {
    const filter = encodeURIComponent(`{t=${tag.Arezzo},&,t=${tag.holiday}}`)
    const pool = await makePool(gallery, 'A week in Arezzo', gallery.ids)
    const ready: [string, () => Promise<unknown>][] = [
      ['the grid', async () => {}],
      ['a selection', () => select(3)],
      ['its tags', () => page.locator('.select button').first().tap()],
      ['sharing it', () => share()],
      ['a filter', () => page.goto(`/?filter=${filter}`).then(seen)],
      ['a file', () => page.goto(`/f/${gallery.ids[0]}`)],
      ['its tags', () => page.getByRole('button', { name: 'Tags and details' }).tap()],
      ['the inbox', () => page.goto('/inbox')],
      ['the pools', () => page.goto('/albums')],
      ['a pool', () => page.goto(`/albums/${pool}`).then(seen)],
      ['a selection of a pool', () => select(2)],
      ['the trash', () => page.goto('/trash').then(seen)],
      ['a selection of the trash', () => select(2)],
      ['the import', () => page.goto('/keep/import')],
      ['the users', () => page.goto('/keep/users')],
      ['the audit', () => page.goto('/keep/audit')],
      ['the settings', () => page.goto('/settings')],
      ['about', () => page.goto('/about')],
    ]
    // Below what is above the grid, there is more to scroll to.
    const isOfGrid = (name: string) =>
      /^(covered|\d+ by \d+): (Slideshow: )?(Photo|\w+, \d)/.test(name)
    const missed: string[] = []
    for (const [what, act] of ready) {
      await act()
      await page.waitForLoadState('networkidle')
      const within = (await page.locator('dialog').count()) > 0 ? 'dialog' : 'body'
      for (const name of await missedByFingers(page, within)) {
        if (!isOfGrid(name)) missed.push(`${what}: ${name}`)
      }
    }
    assert.deepEqual(missed, [])
  })

  it('filters below the box, which stays in sight', async () => {
    const box = page.getByRole('combobox', { name: 'Filter' })
    await box.tap()
    await page.getByRole('option', { name: 'videos' }).waitFor()
    assert.deepEqual(await missedByFingers(page, '.filter'), [])
    await box.fill('are')
    await page.getByRole('option', { name: /^Arezzo/ }).tap()
    await box.fill('hol')
    await page.getByRole('option', { name: 'holiday' }).tap()
    await page.getByText('8 photos', { exact: true }).waitFor()
    assert.equal(await page.getByRole('option').count(), 0)
    await page.getByRole('heading', { level: 1, name: 'Photos: Arezzo and holiday' }).waitFor()
    // What was added last is the one that is seen where there isn't room for both.
    const chip = page.locator('.sentence .chip').last()
    await page.getByRole('button', { name: 'Remove holiday from the filter' }).waitFor()
    const { x, width } = (await chip.boundingBox())!
    const sentence = (await page.locator('.sentence').boundingBox())!
    assert.ok(x + width <= sentence.x + sentence.width + 1)
  })

  it('has its tags on a sheet, which goes when one is chosen or it is pulled down', async () => {
    await tab('Tags').tap()
    await assertAccessible(page, 'tags')
    await sheet()
      .getByRole('link', { name: /^Arezzo/ })
      .tap()
    await sheet().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove Arezzo from the filter' }).waitFor()

    await tab('Tags').tap()
    const close = sheet().getByRole('button', { name: 'Close' })
    // It stands still only once the tags have come.
    await close.hover()
    const grip = (await close.boundingBox())!
    const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 200, { steps: 4 })
    await page.mouse.up()
    await sheet().waitFor({ state: 'detached' })

    await tab('Tags').tap()
    await close.tap()
    await sheet().waitFor({ state: 'detached' })
  })

  it('sorts behind "More"', async () => {
    await tab('More').tap()
    await page.getByRole('menuitem', { name: 'Order' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Order' })
    await dialog.getByRole('button', { name: 'Date taken', pressed: true }).waitFor()
    // Groups would be read out with the name that the dialog has.
    assert.equal(await dialog.getByRole('group').count(), 0)
    assert.deepEqual(await missedByFingers(page, 'dialog'), [])
    await assertAccessible(page, 'the order')
    // Keys go through them without choosing.
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    assert.equal(new URL(page.url()).search, '')
    await dialog.getByText('Name').tap()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?sort=original_name&order=asc')
    await tab('More').tap()
    await page.getByRole('menuitem', { name: 'Order' }).tap()
    await dialog.getByText('Z to A').tap()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?sort=original_name')
  })

  it('opens what comes from below when it is pulled up, too', async () => {
    await page.goto('/inbox')
    const panel = page.getByRole('complementary', { name: 'Tags and details' })
    const facts = panel.getByText('Taken')
    await facts.waitFor()
    const grip = panel.getByRole('button', { name: 'Tags and details' })
    await grip.tap()
    await facts.waitFor({ state: 'hidden' })
    const { x, y, width, height } = (await grip.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + height / 2 - 120, { steps: 4 })
    assert.match(
      await panel.evaluate((element) => (element as HTMLElement).style.transform),
      /translateY\(-1\d\dpx\)/,
    )
    await page.mouse.up()
    await facts.waitFor()
  })

  it('hides the tools of a picture at a tap, shows them at the next, and zooms at two', async () => {
    await page.goto(`/f/${gallery.ids[0]}`)
    const picture = page.locator('.photo')
    await page.locator('.layers img.loaded[alt="picture 1.jpg"]').waitFor()
    const back = page.getByRole('button', { name: 'Back to the grid' })
    await page.getByRole('heading', { level: 1, name: '14 July 2018' }).waitFor()
    await picture.tap()
    await back.waitFor({ state: 'hidden' })
    await picture.tap()
    await back.waitFor()
    // All at once, since the second one may come too late to mean two where the machine is busy.
    const hand = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchEnd') => {
      const touchPoints = type === 'touchStart' ? [{ x: 195, y: 400 }] : []
      return hand.send('Input.dispatchTouchEvent', { type, touchPoints })
    }
    await Promise.all((['touchStart', 'touchEnd', 'touchStart', 'touchEnd'] as const).map(touch))
    await page.locator('.photo.zoomed').waitFor()
    assert.ok(await back.isVisible())
  })

  it('says nothing of keys, which it has none of', async () => {
    await tab('More').tap()
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Keys' }).count(), 0)
    await page.getByRole('menuitem', { name: 'Settings' }).tap()
    await page.getByRole('heading', { name: 'Appearance' }).waitFor()
    assert.equal(await page.getByText('Keyboard').count(), 0)
    // Somebody has connected one.
    await page.keyboard.press('Shift')
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor()
  })

  it('shows keys in buttons only while they are used, if there is room', async () => {
    await page.setViewportSize({ width: 1024, height: 844 })
    const key = page.locator('.filter kbd')
    await page.getByRole('combobox', { name: 'Filter' }).waitFor()
    assert.equal(await key.isVisible(), false)
    await page.keyboard.press('ArrowDown')
    await key.waitFor()
    await page.locator('.day button').first().tap()
    await key.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 390, height: 844 })
  })

  it('has the buttons of a person one below the other, and the roles side by side', async () => {
    await page.goto('/keep/users')
    await page.getByRole('button', { name: 'Anna View only' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Anna' })
    await dialog.getByRole('radio', { name: 'View only', checked: true }).waitFor()
    const placesOf = async (selector: string) => {
      const boxes = await dialog.locator(selector).all()
      return Promise.all(boxes.map(async (box) => (await box.boundingBox())!))
    }
    const buttons = await placesOf('.btns .btn')
    assert.equal(new Set(buttons.map(({ x, width }) => `${x} ${width}`)).size, 1)
    const roles = await placesOf('.role label')
    assert.equal(roles.length, 3)
    assert.equal(new Set(roles.map(({ y }) => y)).size, 1)
    assert.deepEqual(await missedByFingers(page, 'dialog'), [])
  })

  it('changes dates behind "More", with one way at a time to say which', async () => {
    await select(2)
    await page.getByRole('button', { name: 'More' }).first().tap()
    await page.getByRole('menuitem', { name: 'Dates' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Dates of 2 photos' })
    await dialog.waitFor()
    assert.deepEqual(await missedByFingers(page, 'dialog'), [])
    const date = dialog.getByLabel('Date and time')
    assert.equal(await date.isVisible(), false)
    await dialog.getByText('Set all to').tap()
    await date.waitFor()
    assert.equal(await dialog.getByLabel('Days').isVisible(), false)
    assert.deepEqual(await missedByFingers(page, 'dialog'), [])
  })

  it('folds the panel of the inbox to its buttons', async () => {
    await page.goto('/inbox')
    const panel = page.getByRole('complementary', { name: 'Tags and details' })
    const facts = panel.getByText('Taken')
    await facts.waitFor()
    const grip = panel.getByRole('button', { name: 'Tags and details' })
    await grip.tap()
    await facts.waitFor({ state: 'hidden' })
    assert.equal(await grip.getAttribute('aria-expanded'), 'false')
    await panel.getByRole('button', { name: 'Reviewed, next' }).waitFor()
    await grip.tap()
    await facts.waitFor()
  })

  it('tells what was done beside what is pressed next', async () => {
    await select(2)
    await page.locator('.select button').first().tap()
    await page.getByRole('combobox', { name: 'Add a tag' }).fill('bir')
    await page.getByRole('option', { name: 'birthday' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.toast', { hasText: 'birthday added to 2 photos' }).waitFor()
    assert.ok(await isToldBeside(page, '.select .above'))
    await page.keyboard.press('Escape')
    assert.ok(await isToldBeside(page, '.select'))

    await page.goto('/inbox')
    await page.getByRole('button', { name: 'Move to the trash' }).tap()
    await page.locator('.toast', { hasText: 'In the trash' }).waitFor()
    assert.ok(await isToldBeside(page, '.panel .done'))
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap()
    await page.locator('.toast', { hasText: 'Undone' }).waitFor()
  })

  it('has room for all of the bar of a selection, in German and in a pool too', async () => {
    /** How far what is in the bar stands out of it, in pixels. */
    const outside = async (path: string, width: number) => {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(path)
      await seen()
      await page.keyboard.press('Control+a')
      const bar = page.locator('.select')
      await bar.waitFor()
      return bar.evaluate((element) => {
        const last = [...element.querySelectorAll(':scope > button')].at(-1)!
        const room = element.parentElement!.getBoundingClientRect()
        const [all, end] = [element.getBoundingClientRect(), last.getBoundingClientRect()]
        return Math.max(room.left - all.left, all.right - room.right, end.right - all.right)
      })
    }
    const pool = await makePool(gallery, 'Snow', gallery.ids)
    try {
      for (const language of ['en', 'de']) {
        await gallery.call('PUT', '/users/me/settings', { language })
        for (const path of ['/', `/albums/${pool}`]) {
          for (const width of [390, 1200, 1366, 1440]) {
            const far = await outside(path, width)
            assert.ok(far <= 0, `${language} ${path} ${width}: ${far} px`)
          }
        }
      }
    } finally {
      await gallery.call('PUT', '/users/me/settings', {})
      await page.setViewportSize({ width: 390, height: 844 })
    }
  })
})
