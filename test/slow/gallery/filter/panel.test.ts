import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openDatabase } from '../../../../src/db/client.ts'
import { write } from '../../../../src/db/write.ts'
import { dataFolder } from '../../../../src/media/data-folder.ts'
import { photographed, placeFile, ridOf } from '../../../support/object-rows.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { drawn } from '../../../web/support/drawn.ts'
import { press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { makeTags } from '../../../web/support/tags.ts'
import { missedByFingers } from '../../../web/support/touch.ts'

const CANON = 'Canon EOS 5D'
const FRANCE = 'FR.93.Nice'
const ITALY = 'IT.07.Roma'
/** What is known of each photo, the newest first. */
const PHOTOS: { day: string; camera?: string; town?: string; size?: number; type?: string }[] = [
  { day: '2026-11-18' },
  { day: '2026-11-16' },
  { day: '2022-05-01', size: 25_000_000 },
  { day: '2022-04-01', size: 6_000_000 },
  { day: '2021-12-31', camera: 'Apple iPhone 12', type: 'image/heic' },
  { day: '2020-06-01', camera: CANON, town: FRANCE },
  { day: '2019-08-04', town: ITALY },
  { day: '2019-08-03', camera: CANON, town: ITALY },
  { day: '2019-08-02', camera: CANON, town: ITALY },
  { day: '2019-01-01', camera: CANON, town: FRANCE },
  { day: '2018-12-31', camera: 'Apple iPhone 12' },
  { day: '2017-05-01', type: 'image/heic' },
]
const HOLIDAY = [4, 5, 7, 8, 9, 11]
const WORK = [5, 8]

let gallery: OpenGallery

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: PHOTOS.length, isSignedIn: false })
  const { ids, call } = gallery
  const tag = await makeTags(gallery, 40)
  const put = (name: string, of: number[]) =>
    call('POST', '/files/bulk/tags', {
      ...{ file_ids: of.map((n) => ids[n]), action: 'add', tag_ids: [tag[name]] },
    })
  await put('holiday', HOLIDAY)
  await put('work', WORK)
  await put('Anna', [4, 5])
  await call('POST', '/files/bulk/favourite', { file_ids: [ids[11]], is_favourite: true })
  const db = openDatabase(dataFolder(gallery.dataDir).database)
  write(db, { now: Date.now() }, (tx) => {
    for (const [n, { day, camera, town, size, type }] of PHOTOS.entries()) {
      const rid = ridOf(tx, 'file', ids[n]!)
      const time = Date.parse(`${day}T12:00:00Z`)
      tx.run('UPDATE files SET content_datetime = ?, content_offset = 0 WHERE rid = ?', time, rid)
      if (type) tx.run('UPDATE files SET mime_type = ? WHERE rid = ?', type, rid)
      if (size) tx.run('UPDATE file_details SET size = ? WHERE file_rid = ?', size, rid)
      if (camera) photographed(tx, ids[n]!, camera)
      if (town) placeFile(tx, ids[n]!, town)
    }
  })
  db.close()
})

after(() => gallery?.close())

const WAYS = {
  'by mouse': { size: { width: 1440, height: 900 } },
  'by thumb': { size: { width: 390, height: 844 }, isTouch: true },
}

for (const [way, browser] of Object.entries(WAYS)) {
  describe(`the panel beside the filter, ${way}`, { skip: withoutChromium }, () => {
    const isPhone = 'isTouch' in browser
    let page: Page
    let taps: number

    before(async () => {
      page = await gallery.stranger(browser)
      await page.goto('/')
      await enter(page)
    })

    const act = (name: string | RegExp, within: { in?: string } = {}) => {
      const scope = within.in ? page.getByRole('group', { name: within.in, exact: true }) : page
      const button = scope.getByRole('button', { name }).first()
      taps++
      return isPhone ? button.tap() : button.click()
    }
    const open = async () => {
      await page.goto('/')
      await page.locator('.cell img[src]').first().waitFor()
      taps = 0
      await act('Choose what to show')
      await page.getByRole('group', { name: 'Favourites' }).waitFor()
    }
    const shown = (count: number) => {
      const words = count === 1 ? '1 photo' : `${count} photos`
      return isPhone
        ? page.getByRole('button', { name: `Show ${words}`, exact: true }).waitFor()
        : page.getByText(words, { exact: true }).first().waitFor()
    }
    const dates = async (from: string, to: string) => {
      await page.getByLabel('From', { exact: true }).fill(from)
      await page.getByLabel('To', { exact: true }).fill(to)
    }

    const questions: [what: string, answer: number, act: () => Promise<void>][] = [
      ['canon', 4, () => act(/^Canon EOS 5D /, { in: 'Camera' })],
      ['heic', 2, () => act(/^HEIC /, { in: 'Kind' })],
      ['> 5 MB', 2, () => act(/^> 5 MB /, { in: 'Size' })],
      ['france', 2, () => act(/^France /, { in: 'Where' })],
      ['no place', 7, () => act(/^without a place /, { in: 'Where' })],
      ['gps', 5, () => act(/^with a place /, { in: 'Where' })],
      ['favourite', 1, () => act(/^my favourites /, { in: 'Favourites' })],
      ['last week', 2, () => dates('2026-11-16', '2026-11-22')],
      [
        '2019 to 2021',
        6,
        async () => {
          await act(/^2019: 4 photos/)
          await act(/^2021: 1 photo/)
        },
      ],
      [
        'not work',
        10,
        async () => {
          await act(/^work /, { in: 'Tags' })
          await act(/^work /, { in: 'Tags' })
        },
      ],
    ]
    for (const [what, answer, act] of questions) {
      it(`answers “${what}”`, async () => {
        await open()
        await act()
        await shown(answer)
      })
    }

    it('finds the holiday without work, in 2019, in Italy, by six clicks', async () => {
      await open()
      await act(/^holiday /, { in: 'Tags' })
      await act(/^work /, { in: 'Tags' })
      await act(/^work /, { in: 'Tags' })
      await act(/^2019: /)
      await act(/^Italy /, { in: 'Where' })
      await shown(1)
      if (isPhone) await act('Show 1 photo')
      assert.equal(taps, isPhone ? 7 : 6)
      const { searchParams } = new URL(page.url())
      assert.match(searchParams.get('filter')!, /^\{t=[^,]+,&,!,t=[^,]+,&,d=2019,&,l=IT\}$/)
    })

    it('counts what else could be chosen', async () => {
      await open()
      await page.getByRole('button', { name: 'Canon EOS 5D 4' }).waitFor()
      await act(/^Italy /, { in: 'Where' })
      await page.getByRole('button', { name: 'Canon EOS 5D 2' }).waitFor()
      await page.getByRole('button', { name: 'Apple iPhone 12 0' }).waitFor()
      // Another country would add its own.
      await page.getByRole('button', { name: 'France 2' }).waitFor()
      await act(/^France /, { in: 'Where' })
      await shown(5)
      const people = page.getByRole('group', { name: 'People' })
      await people.getByRole('button', { name: 'Anna 1' }).waitFor()
      await act(/^Anna /, { in: 'People' })
      await shown(1)
      const tags = page.getByRole('group', { name: 'Tags', exact: true })
      assert.equal(await tags.getByRole('button', { name: /^Anna / }).count(), 0)
      await act(/^Anna /, { in: 'People' })
      await act(/^not Anna /, { in: 'People' })
      await shown(5)
      await assertAccessible(page, `the panel ${way}`)
      if (isPhone) {
        // Bars are thin; the dates below them say the same.
        const touched = '.facets :is(header, footer, fieldset:not(.bars, :has(.bars)))'
        assert.deepEqual(await missedByFingers(page, touched), [])
      }
      await act(/^Clear$/)
      await shown(12)
    })
  })
}

describe('the panel, by keys', { skip: withoutChromium }, () => {
  it('opens, chooses, and returns to its button', async () => {
    const page = await gallery.stranger()
    await page.goto('/')
    await enter(page)
    const button = page.getByRole('button', { name: 'Choose what to show' })
    await button.focus()
    await press(page, 'Enter')
    await page.getByRole('region', { name: 'Show only' }).waitFor()
    await page.getByRole('button', { name: 'HEIC 2' }).waitFor()
    await page.getByRole('button', { name: '2017: 1 photo' }).focus()
    await press(page, 'ArrowRight', 'ArrowRight', 'Space')
    await page.getByText('4 photos', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'HEIC 0' }).waitFor()
    await press(page, 'Space')
    await page.getByText('12 photos', { exact: true }).first().waitFor()
    await press(page, 'Escape')
    assert.ok(await button.evaluate((element) => element === document.activeElement))
    assert.equal(await button.getAttribute('aria-expanded'), 'false')
  })

  it('counts again when something changes in another window', async () => {
    const page = await gallery.stranger({ hasChanges: true })
    const isWaiting = page.waitForRequest(/\/changes\?since=/)
    await page.goto('/')
    await enter(page)
    await page.getByRole('button', { name: 'Choose what to show' }).click()
    await page.getByRole('button', { name: 'my favourites 1' }).waitFor()
    await page.getByRole('button', { name: '2017: 1 photo' }).waitFor()
    await isWaiting
    const form = new FormData()
    form.set(
      'file',
      new Blob([Uint8Array.from(await drawn(77, 48, 36).jpeg().toBuffer())]),
      'a.jpg',
    )
    form.set('content_datetime', '2017-06-01T12:00:00Z')
    const { id } = await gallery.call<{ id: string }>('POST', '/files', form)
    await gallery.call('POST', '/files/bulk/favourite', { file_ids: [id], is_favourite: true })
    await page.getByRole('button', { name: 'my favourites 2' }).waitFor()
    await page.getByRole('button', { name: '2017: 2 photos' }).waitFor()
  })
})
