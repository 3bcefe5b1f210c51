import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp, { type Exif } from 'sharp'
import { withoutEncoder } from '../../../support/media/media.ts'
import { smallHeic } from '../../../support/media/samples.ts'
import { after, before, beforeEach, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { missedByFingers } from '../../../web/support/touch.ts'

const DAY = 86_400_000
const PHONE = { width: 390, height: 844 }
/** Made up pictures, each with the tag "work". */
const FILES = 5

const CANON: Exif = {
  IFD0: { Make: 'Canon', Model: 'Canon EOS 5D' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '43/1 42/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '7/1 15/1 0/1',
  },
}

let gallery: OpenGallery
let page: Page
let phone: Page

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: FILES })
  page = gallery.page
  const { call, ids } = gallery
  await call('POST', '/categories', { name: 'People' })
  const tag = await call<{ id: string }>('POST', '/tags', { name: 'work' })
  await call('POST', '/tags', { name: 'holiday' })
  await call('POST', '/files/bulk/tags', { file_ids: ids, action: 'add', tag_ids: [tag.id] })
  await call('PATCH', `/files/${ids[0]}`, { notes: 'Grandpa laughed a lot' })
  await call('PUT', `/files/${ids[1]}/favourite`)
  const [width, height] = [1400, 1300]
  const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
  await add('large.png', await noise.png().toBuffer())
  await add('canon.jpg', await picture('#c84').withExif(CANON).jpeg().toBuffer())
  await add('new.jpg', await picture('#4c8').jpeg().toBuffer(), inLastWeek())
  await add('2020.jpg', await picture('#84c').jpeg().toBuffer(), '2020-05-05T12:00:00Z')
  if (!withoutEncoder('libx265')) await add('phone.heic', await readFile((await smallHeic(8)).path))
  phone = await gallery.stranger({ size: PHONE, isTouch: true })
  await phone.goto('/')
  await enter(phone)
})

after(() => gallery?.close())

beforeEach(async () => {
  if (withoutChromium) return
  await open()
})

/** Opens the page; the box comes after the first pictures. */
async function open(): Promise<void> {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Filter' }).waitFor()
}

const picture = (background: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })

async function add(name: string, bytes: Uint8Array, taken = '2017-03-03T12:00:00Z') {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), name)
  form.set('content_datetime', taken)
  await gallery.call('POST', '/files', form)
}

/** Noon of the Wednesday before this week's Monday. */
function inLastWeek(): string {
  const now = Date.now()
  const weekday = (new Date(now).getUTCDay() + 6) % 7
  return `${new Date(now - (weekday + 5) * DAY).toISOString().slice(0, 10)}T12:00:00Z`
}

/** Browsers differ in the spaces around the dash of a range. */
const heading = (words: string, on = page) => {
  const name = new RegExp(`^${words.replace('–', '\\s?–\\s?')}$`)
  return on.getByRole('heading', { level: 1, name })
}
const found = (count: string, on = page) => on.getByText(count, { exact: true }).first()
const OTHERS = withoutEncoder('libx265') ? 4 : 5

/** What the family asks for, the heading that says it, and how many files that are. */
const ASKED: [typed: string, words: string | null, count: string][] = [
  ['canon', 'camera Canon EOS 5D', '1 photo'],
  ...(withoutEncoder('libx265')
    ? []
    : ([['heic', 'type image/heic', '1 photo']] satisfies [string, string, string][])),
  ['> 5 MB', 'larger than 5 MB', '1 photo'],
  ['france', 'in France', '1 photo'],
  ['last week', null, '1 photo'],
  ['between 2019 and 2021', '2019–2021', '1 photo'],
  ['notes: laughed', 'notes with “laughed”', '1 photo'],
  ['gps', 'with a place', '1 photo'],
  ['favourite', 'favourites', '1 photo'],
  ['not work', 'not work', `${OTHERS} photos`],
  ['no place, favourites or canon', 'no place and favourites or camera Canon EOS 5D', '1 photo'],
  ['work but not favourites, 2018', 'work and not favourites and 2018', '4 photos'],
]

describe('the box', { skip: withoutChromium }, () => {
  it('answers what a family asks for, by keys', async () => {
    for (const [typed, words, count] of ASKED) {
      await open()
      await press(page, '/', typed)
      // What Enter will set is shown before.
      const first = page.getByRole('option').first()
      await first.waitFor()
      await press(page, 'Enter')
      await found(count).waitFor()
      if (words) await heading(`Photos: ${words}`).waitFor()
      assert.match(page.url(), /filter=/, typed)
    }
  })

  it('shows what a line will set as chips', async () => {
    await press(page, '/', 'holiday but not work, 2019 to 2021, in France')
    const first = page.getByRole('option').first()
    await first.getByText('in France').waitFor()
    const said = (await first.innerText()).replace(/\s+/g, ' ').replace(' – ', '–')
    assert.equal(said, 'holiday and not work and 2019–2021 and in France')
    await assertAccessible(page, 'a line of chips')
    await press(page, 'Enter')
    await heading('Photos: holiday and not work and 2019–2021 and in France').waitFor()
  })

  it('suggests countries, cameras and words of notes by their beginnings', async () => {
    await press(page, '/', 'near fr')
    await page.getByRole('option', { name: 'in France' }).waitFor()
    const box = page.getByRole('combobox', { name: 'Filter' })
    await box.fill('eos')
    await page.getByRole('option', { name: 'camera Canon EOS 5D' }).waitFor()
    await box.fill('laughed')
    await page.getByRole('option', { name: 'notes with “laughed”' }).click()
    await heading('Photos: notes with “laughed”').waitFor()
    await found('1 photo').waitFor()
  })

  it('still searches for names', async () => {
    await press(page, '/', 'picture 3', 'Enter')
    await heading('Photos: named “picture 3”').waitFor()
    await found('1 photo').waitFor()
  })

  it('shows one year after another, and takes a stretch of days away as one', async () => {
    await press(page, '/', '2018', 'Enter')
    await found('5 photos').waitFor()
    await press(page, '2019 to 2021', 'Enter')
    await heading('Photos: 2019–2021').waitFor()
    await press(page, 'Backspace')
    await heading('Photos').waitFor()
  })
})

describe('a chip', { skip: withoutChromium }, () => {
  it('turns by a click: is, is not, or', async () => {
    await press(page, '/', 'work, favourites', 'Enter')
    await heading('Photos: work and favourites').waitFor()
    const chip = (name: string) => page.getByRole('button', { name, exact: true })
    await chip('favourites').click()
    await assertAccessible(page, 'the menu of a chip')
    await page.getByRole('menuitem', { name: 'Or: favourites' }).click()
    await heading('Photos: work or favourites').waitFor()
    await found('5 photos').waitFor()
    await chip('favourites').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'And: favourites' }).click()
    await chip('work').click()
    assert.equal(await page.getByRole('menuitem', { name: /^(Or|And): / }).count(), 0)
    await page.getByRole('menuitemradio', { name: 'Not: work' }).click()
    await heading('Photos: not work and favourites').waitFor()
    await page.getByRole('button', { name: 'Filter menu' }).click()
    await page.getByRole('menuitem', { name: 'Filter as text' }).click()
    const text = await page.getByRole('combobox', { name: 'Filter' }).inputValue()
    assert.equal(text, '{!,t=<work>,&,f=1}')
  })

  it('says "no tag of People" for the opposite of one', async () => {
    await press(page, '/', 'People', 'Enter')
    await heading('Photos: a tag of People').waitFor()
    await page.getByRole('button', { name: 'a tag of People', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Not: a tag of People' }).click()
    await heading('Photos: no tag of People').waitFor()
    await page.getByRole('button', { name: 'Filter menu' }).click()
    await page.getByRole('menuitem', { name: 'Filter as text' }).click()
    const text = await page.getByRole('combobox', { name: 'Filter' }).inputValue()
    assert.equal(text, '{!,c=<People>}')
  })

  it('turns by a tap and by a long press of a thumb', async () => {
    await phone.getByRole('combobox', { name: 'Filter' }).tap()
    await phone.keyboard.type('france')
    await phone.getByRole('option', { name: 'in France' }).tap()
    await heading('Photos: in France', phone).waitFor()
    await found('1 photo', phone).waitFor()
    assert.deepEqual(await missedByFingers(phone, '.bar'), [])
    const chip = phone.getByRole('button', { name: 'in France', exact: true })
    await chip.tap()
    await phone.getByRole('menuitemradio', { name: 'Not: in France' }).tap()
    await heading('Photos: not in France', phone).waitFor()
    const { x, y, width, height } = (await chip.boundingBox())!
    const session = await phone.context().newCDPSession(phone)
    await session.send('Input.synthesizeTapGesture', {
      x: x + width / 2,
      y: y + height / 2,
      duration: 1000,
      tapCount: 1,
      gestureSourceType: 'touch',
    })
    await phone.getByRole('menuitemradio', { name: 'Is: in France' }).tap()
    await heading('Photos: in France', phone).waitFor()
  })
})
