import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../../support/eventually.ts'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { hold } from '../../../web/support/hold.ts'
import { press } from '../../../web/support/keys.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { refuse } from '../../../web/support/refuse.ts'
import { join, type Somebody } from '../../../web/support/somebody.ts'

let gallery: OpenGallery
let page: Page
/** Who shares, and who is shared with. */
let jonas: Somebody
let anna: Somebody
/** Pictures of Jonas, the newest first, five to a day. */
let own: string[]
/** A tag that Anna sees. */
let lake: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ isSignedIn: false })
  page = gallery.page
  jonas = await join(gallery, 'Jonas')
  anna = await join(gallery, 'Anna')
  own = await jonas.upload(10)
  await page.goto('/')
  await enter(page, 'Jonas')
})

after(() => gallery?.close())

const dialog = () => page.getByRole('dialog')
const toast = (text: string) => page.locator('.toast', { hasText: text })
const toggle = (name: string) => dialog().getByRole('switch', { name })
const isOn = (name: string) => toggle(name).isChecked()
const then = (text: string) => dialog().locator('.sees > .after').getByText(text).waitFor()

async function open(path = '/'): Promise<void> {
  await page.goto(path)
  await page.locator('.cell img[src]').first().waitFor()
}

async function make(kind: string, fields: object): Promise<string> {
  return (await jonas.call<{ id: string }>('POST', `/${kind}`, fields)).id
}

/** The names of what Anna's own session sees of tags, categories or a file's tags. */
async function annaSees(path: string): Promise<string[]> {
  type Named = { name: string }[]
  const answer = await anna.call<Named | { items: Named }>('GET', path)
  return (Array.isArray(answer) ? answer : answer.items).map(({ name }) => name).sort()
}

async function takeBack(): Promise<void> {
  await page.locator('.toast').getByRole('button', { name: 'Take back' }).last().click()
  await toast('Taken back').last().waitFor()
}

async function shareOf(pool: string): Promise<void> {
  await open(`/albums/${pool}`)
  await page.getByRole('button', { name: 'Share' }).first().click()
  await toggle('Photos added later, too').waitFor()
}

/** Asks on the page of tags who sees the category. */
async function ask(): Promise<void> {
  const share = page.getByRole('button', { name: 'Who may see Places' })
  // What is offered above the heading may come later, and move it away from the mouse.
  await eventually(async () => {
    await page.getByRole('heading', { name: 'Places' }).first().hover()
    return share.isVisible()
  })
  await share.click()
  await dialog().getByRole('heading', { name: 'Share the category “Places”' }).waitFor()
}

describe('sharing with tags', { skip: withoutChromium }, () => {
  it('offers the tags of a selection that are hidden, and takes all of it back', async () => {
    const day = own.slice(0, 5)
    for (const [name, isPublic] of [
      ['mum', false],
      ['dad', false],
      ['sea', true],
    ] as const) {
      const tag = await make('tags', { name, is_public: isPublic })
      await jonas.call('POST', '/files/bulk/tags', {
        file_ids: day.slice(0, name === 'dad' ? 1 : 3),
        action: 'add',
        tag_ids: [tag],
      })
    }
    await make('tags', { name: 'elsewhere' })
    await open()
    await page.getByRole('button', { name: 'Saturday, 14 July 2018', exact: true }).click()
    await page.getByText('5 selected').waitFor()
    await press(page, 's', 'an')
    await toggle('Their 2 tags too').waitFor()
    assert.equal(await isOn('Their 2 tags too'), false)
    await toggle('Their 2 tags too').click()
    await assertAccessible(page, 'sharing with tags')
    await press(page, 'Enter')
    await toast('Anna sees all 5. Also 2 tags.').waitFor()
    assert.deepEqual(await anna.sees(), new Set(day))
    assert.deepEqual(await annaSees(`/files/${day[0]}/tags`), ['dad', 'mum', 'sea'])
    assert.deepEqual(await annaSees('/tags'), ['dad', 'mum', 'sea'])

    const refusal = { method: 'POST', path: '/bulk/share', status: 500, code: 'internal_error' }
    const letThrough = await refuse(page, refusal)
    await page.locator('.toast').getByRole('button', { name: 'Take back' }).click()
    await page.getByRole('alert').getByText('Something went wrong on the server.').waitFor()
    assert.deepEqual(await annaSees('/tags'), ['sea'])
    assert.deepEqual(await anna.sees(), new Set(day))
    await letThrough()
    await takeBack()
    assert.deepEqual(await anna.sees(), new Set())
    assert.deepEqual(await annaSees('/tags'), ['sea'])
  })

  it('shares a category with those of its tags that are hidden, or without them', async () => {
    const category_id = await make('categories', { name: 'Places' })
    lake = await make('tags', { name: 'lake', category_id })
    await make('tags', { name: 'shore', category_id })
    await make('tags', { name: 'cave', category_id })
    await jonas.call('PUT', `/acl/tag/${lake}`, { permissions: [{ user_id: anna.id }] })
    await page.goto('/tags')
    await ask()
    // The number is that of the tags hidden from those who are chosen.
    await press(page, 'an', 'Tab')
    await toggle('Its 2 tags too').waitFor()
    assert.equal(await isOn('Its 2 tags too'), true)
    await toggle('Its 2 tags too').click()
    await press(page, 'Enter')
    await toast('Anna sees it.').waitFor()
    assert.deepEqual(await annaSees('/categories'), ['Places'])
    assert.deepEqual(await annaSees('/tags'), ['lake', 'sea'])
    await takeBack()
    assert.deepEqual(await annaSees('/categories'), [])

    // Without a look at the dialog, the tags come along.
    await page.goto('/tags')
    await ask()
    await dialog().getByRole('combobox').focus()
    await press(page, 'anna', 'Enter')
    await toast('Anna sees it. Also 2 tags.').waitFor()
    assert.deepEqual(await annaSees('/tags'), ['cave', 'lake', 'sea', 'shore'])
    await takeBack()
    assert.deepEqual(await annaSees('/tags'), ['lake', 'sea'])
  })

  it('shares nothing when it is closed while it reads who sees the tags', async () => {
    await page.goto('/tags')
    const { held } = await hold(page, { method: 'GET', path: `/acl/tag/${lake}` })
    await ask()
    await press(page, 'anna', 'Enter')
    await held
    await dialog().getByRole('group', { name: 'Anna' }).waitFor()
    // What it reads may come at once, while the page waits for the next frame.
    await page.evaluate(`{
      requestAnimationFrame = () => 0
      document.querySelector('dialog [aria-label=Close]').click()
      hold.goOn.resolve()
    }`)
    await dialog().waitFor({ state: 'detached' })
    // Another look takes longer than sharing would have.
    await ask()
    await dialog().getByText('Only you.').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(await annaSees('/categories'), [])
  })

  it('opens a category and its tags to everybody, and one undo closes them', async () => {
    await page.goto('/tags')
    await ask()
    await toggle('Everybody signed in may view').click()
    await toggle('Its 3 tags too').waitFor()
    await page.getByRole('button', { name: /^Change/ }).click()
    await toast('Also 3 tags.').getByRole('button', { name: 'Undo' }).click()
    await toast('Undone').waitFor()
    assert.deepEqual(await annaSees('/categories'), [])
    assert.deepEqual(await annaSees('/tags'), ['lake', 'sea'])
  })
})

describe('an album that is shared', { skip: withoutChromium }, () => {
  let album: string
  const sharing = async () =>
    (await jonas.call<{ shares_files: boolean }>('GET', `/pools/${album}`)).shares_files
  const inAlbum = () => anna.sees(`&pool=${album}`)

  it('shares what is added later as well, without a list for each picture', async () => {
    album = await make('pools', { name: 'Alps 2021' })
    await jonas.call('POST', `/pools/${album}/files`, { file_ids: own.slice(0, 3) })
    const bulk: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/bulk/share')) bulk.push(request.url())
    })
    await shareOf(album)
    assert.equal(await isOn('Photos added later, too'), true)
    assert.equal(await toggle('Its 3 photos too').count(), 0)
    await press(page, 'an')
    await then('all its 3 photos.')
    await press(page, 'Enter')
    await toast('all its 3 photos.').waitFor()
    assert.equal(await sharing(), true)
    assert.deepEqual(await inAlbum(), new Set(own.slice(0, 3)))
    await jonas.call('POST', `/pools/${album}/files`, { file_ids: own.slice(3, 6) })
    assert.deepEqual(await inAlbum(), new Set(own.slice(0, 6)))
    assert.deepEqual(bulk, [])
    await takeBack()
    assert.equal(await anna.status('GET', `/pools/${album}`), 403)
    assert.deepEqual(await anna.sees(), new Set())
    assert.equal(await sharing(), false)
  })

  it('gives no right to edit its pictures, and says that unsharing takes them', async () => {
    await shareOf(album)
    await press(page, 'an', 'Tab')
    await dialog().getByRole('radio', { name: 'Edit' }).check({ force: true })
    await then('Anna may edit the album')
    const will = await dialog().locator('.sees > .after b').innerText()
    assert.match(will, /and sees all its 6 photos\.$/)
    await page.getByRole('button', { name: /^Share with/ }).click()
    await toast(will).waitFor()
    assert.equal(await anna.status('PATCH', `/files/${own[0]}`, { notes: 'mine' }), 403)

    await jonas.call('POST', '/files/bulk/share', {
      file_ids: own.slice(0, 1),
      add: [{ user_id: anna.id }],
    })
    await shareOf(album)
    await page.getByRole('button', { name: 'Remove Anna' }).click()
    await dialog().getByText('The photos are unshared as well').waitFor()
    await page.getByRole('button', { name: /^Change/ }).click()
    await dialog().waitFor({ state: 'detached' })
    await toast('Anna doesn’t see the').last().waitFor()
    assert.deepEqual(await anna.sees(), new Set(own.slice(0, 1)))
    await takeBack()
    assert.deepEqual(await inAlbum(), new Set(own.slice(0, 6)))
  })

  it('stays as it is if it was shared before, until somebody switches it', async () => {
    album = await make('pools', { name: 'Rome' })
    await jonas.call('POST', `/pools/${album}/files`, { file_ids: own.slice(6, 9) })
    await jonas.call('PUT', `/acl/pool/${album}`, { permissions: [{ user_id: anna.id }] })
    await shareOf(album)
    assert.equal(await isOn('Photos added later, too'), false)
    assert.equal(await isOn('Its 3 photos too'), true)
    assert.deepEqual(await inAlbum(), new Set())
    await toggle('Photos added later, too').click()
    await then('all its 3 photos.')
    await page.getByRole('button', { name: /^Change/ }).click()
    await toast('all its 3 photos.').last().waitFor()
    assert.equal(await sharing(), true)
    assert.deepEqual(await inAlbum(), new Set(own.slice(6, 9)))
    await takeBack()
    assert.equal(await sharing(), false)
    assert.deepEqual(await inAlbum(), new Set())
    assert.equal(await anna.status('GET', `/pools/${album}`), 200)
  })
})
