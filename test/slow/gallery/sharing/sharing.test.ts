import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { assertAccessible } from '../../../web/support/axe.ts'
import { hold } from '../../../web/support/hold.ts'
import { press } from '../../../web/support/keys.ts'
import { addLargeLibrary } from '../../../web/support/large-library.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import { refuse } from '../../../web/support/refuse.ts'
import { join, type Somebody } from '../../../web/support/somebody.ts'

const MANY = 6000
/** More than one request of the API changes. */
const MORE = 10_500

let gallery: OpenGallery
let page: Page
/** Who shares, and who is shared with. */
let jonas: Somebody
let anna: Somebody
let eve: Somebody
/** Pictures of Jonas, the newest first. */
let own: string[]
/** Where the script of the dialog waits, while it is to. */
let gate: Promise<void> | null = null

before(async () => {
  if (withoutChromium) return
  // What the admin made is others' for Jonas.
  gallery = await openGallery({ files: 3, isSignedIn: false })
  page = gallery.page
  jonas = await join(gallery, 'Jonas')
  anna = await join(gallery, 'Anna')
  eve = await join(gallery, 'Johanna')
  own = await jonas.upload(10)
  await page.route('**/web/assets/part-*', async (route) => {
    await gate
    await route.continue()
  })
  await page.goto('/')
  await enter(page, 'Jonas')
})

after(() => gallery?.close())

const dialog = () => page.getByRole('dialog')
const now = () => dialog().locator('.sees > div').first()
const then = () => dialog().locator('.sees > .after')
const box = () => page.getByRole('combobox', { name: 'Share with' })
const toast = (text: string) => page.locator('.toast', { hasText: text })
const day = (name: string) => page.locator('button[data-day]', { hasText: name })
const selected = (count: string) => page.getByText(`${count} selected`).waitFor()

async function open(path = '/'): Promise<void> {
  await page.goto(path)
  await page.locator('.cell img[src]').first().waitFor()
}

/** Waits until one of the two boxes says exactly this of Anna. */
async function says(where: ReturnType<typeof now>, sentence: string): Promise<void> {
  const text = where.getByText(sentence, { exact: true })
  await text.waitFor().catch(async (error) => {
    throw new Error(`${sentence} is not said, but: ${await where.innerText()}`, { cause: error })
  })
}

/** What is said of Anna, by what her own session sees of some files. */
async function sentence(files: string[], { all = files.length } = {}): Promise<string> {
  const seen = await anna.sees()
  const count = files.filter((id) => seen.has(id)).length
  const number = (value: number) => value.toLocaleString('en-GB')
  const others = all > files.length ? `; ${number(all - files.length)} belong to others` : ''
  if (all === 1) return count === 1 ? 'Anna sees it.' : 'Anna doesn’t see it.'
  if (count === 0) return `Anna sees none of these ${number(all)}${others}.`
  if (count === all) return `Anna sees all ${number(all)}.`
  return `Anna sees ${number(count)} of these ${number(all)}${others}.`
}

/** Shares with Anna and takes that back; each time her own session has to see what the words said. */
async function shareAndTakeBack(files: string[], ask: () => Promise<void>): Promise<void> {
  await ask()
  await now().getByText('admin sees').waitFor()
  assert.equal(await now().getByText('Anna').count(), 0)
  assert.deepEqual(await anna.sees(), new Set())
  await press(page, 'an')
  const will = await then().locator('b').innerText()
  await press(page, 'Enter')
  await toast(will).waitFor()
  assert.equal(await sentence(files), will)
  assert.deepEqual(await anna.sees(), new Set(files))
  assert.equal((await eve.sees()).size, 0)

  await ask()
  await says(now(), will)
  await page.getByRole('button', { name: 'Remove Anna' }).click()
  const back = await then().locator('b').innerText()
  await page.getByRole('button', { name: /^Change/ }).click()
  await toast(back).waitFor()
  assert.equal(await sentence(files), back)
  assert.deepEqual(await anna.sees(), new Set())
}

describe('sharing', { skip: withoutChromium }, () => {
  it('shares a day with someone, view only, with 5 clicks and keys', async () => {
    await open()
    await page.getByRole('combobox', { name: 'Filter' }).waitFor()
    await day('Saturday, 14 July 2018').click()
    await selected('5')
    const opened = await press(page, 's')
    await now().getByText('admin sees').waitFor()
    assert.equal(1 + opened + (await press(page, 'an', 'Enter')), 5)
    await toast('Anna sees all 5.').waitFor()
    const today = own.slice(0, 5)
    assert.deepEqual(await anna.sees(), new Set(today))
    assert.equal(await anna.status('PATCH', `/files/${own[0]}`, { notes: 'mine' }), 403)
    // What is shared is marked, and nothing else is.
    await page.locator('.cell .seen').nth(4).waitFor()
    assert.equal(await page.locator('.cell .seen').count(), 5)
    await page.getByText('5 selected').waitFor()
    await jonas.call('POST', '/files/bulk/share', { file_ids: today, remove: [anna.id] })
  })

  it('says before and after what the other one sees of a day', async () => {
    await shareAndTakeBack(own.slice(5), async () => {
      await open()
      await day('Friday, 13 July').click()
      await selected('5')
      await press(page, 's')
      await dialog().getByRole('heading', { name: 'Share 5 photos' }).waitFor()
    })
  })

  it('says before and after what the other one sees of a file', async () => {
    await shareAndTakeBack(own.slice(2, 3), async () => {
      await page.goto(`/f/${own[2]}`)
      await page.getByRole('button', { name: 'Share' }).waitFor()
      await press(page, 's')
      await box().waitFor()
    })
  })

  it('shows in the viewer at once who sees the file', async () => {
    await page.goto(`/f/${own[2]}`)
    await page.locator('.facts').getByText('only you').waitFor()
    await press(page, 's', 'joh')
    await page.getByRole('button', { name: 'Share with Johanna' }).click()
    await page.locator('.facts').getByText('Jonas, Johanna').waitFor()
    await jonas.call('POST', '/files/bulk/share', { file_ids: [own[2]], remove: [eve.id] })
  })

  it('says before and after what the other one sees of 6,000 files', async () => {
    addLargeLibrary(gallery.dataDir, { count: MANY - own.length, owner: jonas.id })
    const all = await jonas.sees()
    assert.equal(all.size, MANY)
    await shareAndTakeBack([...all], async () => {
      await open()
      await press(page, 'Control+a')
      await selected('6,000')
      await press(page, 's')
      await dialog().getByRole('heading', { name: 'Share 6,000 photos' }).waitFor()
    })
  })

  it('shares more than one request takes, and stops when it is told to', async () => {
    addLargeLibrary(gallery.dataDir, { count: MORE - MANY, owner: jonas.id })
    const asked: number[] = []
    page.on('request', (request) => {
      if (!request.url().endsWith('/files/bulk/share')) return
      asked.push((request.postDataJSON() as { file_ids: string[] }).file_ids.length)
    })
    const ask = async () => {
      await open()
      await press(page, 'Control+a')
      await selected('10,500')
      await press(page, 's', 'an')
      await says(then(), 'Anna sees all 10,500.')
    }
    const all = async () => {
      const { total } = await anna.call<{ total: number }>('GET', '/files/ids?limit=1')
      return total
    }
    await ask()
    const share = await hold(page, { method: 'POST', path: '/files/bulk/share' })
    await press(page, 'Enter')
    await share.held
    await dialog().getByRole('progressbar', { name: '0 of 10,500' }).waitFor()
    await press(page, 'Escape')
    await dialog().waitFor({ state: 'detached' })
    await share.letGo()
    await toast('Stopped after 10,000 of 10,500 photos. Anna sees 10,000 of these').waitFor()
    assert.equal(await all(), 10_000)
    await ask()
    await press(page, 'Enter')
    await toast('Anna sees all 10,500.').waitFor()
    assert.equal(await all(), MORE)
    assert.deepEqual(asked, [10_000, 10_000, 500])
    await open()
    await press(page, 'Control+a')
    await selected('10,500')
    await press(page, 's')
    await page.getByRole('button', { name: 'Remove Anna' }).click()
    await page.getByRole('button', { name: /^Change/ }).click()
    await toast('Anna sees none of these 10,500.').waitFor()
    assert.equal(await all(), 0)
  })

  it('counts what belongs to others in a pool, and shares what it may', async () => {
    const pool = await jonas.call<{ id: string }>('POST', '/pools', { name: 'Arezzo' })
    const theirs = gallery.ids
    await gallery.call('POST', '/files/bulk/share', {
      file_ids: theirs,
      add: [{ user_id: jonas.id }],
    })
    const body = { file_ids: [...own.slice(0, 4), ...theirs] }
    await jonas.call('POST', `/pools/${pool.id}/files`, body)
    await open(`/albums/${pool.id}`)
    await page.getByRole('button', { name: 'Share' }).first().click()
    await dialog().getByRole('heading', { name: 'Share the album “Arezzo”' }).waitFor()
    await says(now(), 'Only you; 3 belong to others.')
    assert.equal(await anna.status('GET', `/pools/${pool.id}`), 403)
    await press(page, 'an')
    const will = 'Anna sees the album and 4 of its 7 photos; 3 belong to others.'
    await says(then(), will)
    await assertAccessible(page, 'sharing a pool')
    await press(page, 'Enter')
    await toast(will).waitFor()
    assert.deepEqual(await anna.sees(`&pool=${pool.id}`), new Set(own.slice(0, 4)))

    // What is added later isn't shared by a pool that doesn't share its files, and the pool says so.
    await jonas.call('PATCH', `/pools/${pool.id}`, { shares_files: false })
    const add = [{ user_id: anna.id }]
    await jonas.call('POST', '/files/bulk/share', { file_ids: own.slice(0, 4), add })
    await jonas.call('POST', `/pools/${pool.id}/files`, { file_ids: own.slice(4, 6) })
    await open(`/albums/${pool.id}`)
    const gap = page.locator('.gap', { hasText: '2 photos here are not shared' })
    await gap.getByText('Anna').waitFor()
    await gap.getByRole('button', { name: 'Share them' }).click()
    await toast('Anna sees the album and 6 of its 9 photos; 3 belong to others.').waitFor()
    await gap.waitFor({ state: 'detached' })
    assert.deepEqual(await anna.sees(`&pool=${pool.id}`), new Set(own.slice(0, 6)))

    await page.getByRole('button', { name: 'Share' }).first().click()
    await page.getByRole('button', { name: 'Remove Anna' }).click()
    await says(then(), 'Anna doesn’t see the album.')
    await page.getByRole('button', { name: /^Change/ }).click()
    await toast('Anna doesn’t see the album.').waitFor()
    assert.equal(await anna.status('GET', `/pools/${pool.id}`), 403)
    assert.deepEqual(await anna.sees(), new Set())
  })

  it('says before and after who sees a private tag', async () => {
    const { id } = await jonas.call<{ id: string }>('POST', '/tags', { name: 'secret' })
    const mayAnna = () => anna.status('GET', `/tags/${id}`)
    await open()
    const ask = async () => {
      await page.getByRole('link', { name: /^secret/ }).hover()
      await page.getByRole('button', { name: 'Who may see secret' }).click()
      await dialog().getByRole('heading', { name: 'Share the tag “secret”' }).waitFor()
    }
    await ask()
    await says(now(), 'Only you.')
    assert.equal(await mayAnna(), 403)
    await press(page, 'an')
    await says(then(), 'Anna sees it.')
    await press(page, 'Enter')
    await toast('Anna sees it.').waitFor()
    assert.equal(await mayAnna(), 200)
    await ask()
    await says(now(), 'Anna sees it.')
    await page.getByRole('button', { name: 'Remove Anna' }).click()
    await says(then(), 'Anna doesn’t see it.')
    await page.getByRole('button', { name: /^Change/ }).click()
    await toast('Anna doesn’t see it.').waitFor()
    assert.equal(await mayAnna(), 403)
  })

  it('loses no key that is typed before it is there, and none means another thing', async () => {
    await open()
    await page.reload()
    await page.locator('.cell img[src]').first().waitFor()
    await day('Friday, 13 July').click()
    await selected('5')
    let letGo = () => {}
    gate = new Promise((resolve) => {
      letGo = resolve
    })
    await press(page, 's', 'anna', 'Enter')
    gate = null
    letGo()
    await toast('Anna sees all 5.').waitFor()
    assert.deepEqual(await anna.sees(), new Set(own.slice(5)))
    await jonas.call('POST', '/files/bulk/share', { file_ids: own.slice(5), remove: [anna.id] })
  })

  it('leaves what is opened anew open when the one before has shared, and says when that failed', async () => {
    const ask = async () => {
      await open()
      await day('Friday, 13 July').click()
      await selected('5')
      await press(page, 's', 'an')
      await then().getByText('Anna sees all 5.').waitFor()
    }
    const closeWhileSharing = async () => {
      const share = await hold(page, { method: 'POST', path: '/files/bulk/share' })
      await press(page, 'Enter')
      await share.held
      await press(page, 'Escape')
      await dialog().waitFor({ state: 'detached' })
      return share
    }
    await ask()
    const share = await closeWhileSharing()
    await press(page, 's')
    await box().waitFor()
    await share.letGo()
    await toast('Anna sees all 5.').waitFor()
    assert.equal(await box().count(), 1)
    await jonas.call('POST', '/files/bulk/share', { file_ids: own.slice(5), remove: [anna.id] })

    await ask()
    const answer = { status: 507, code: 'insufficient_storage' }
    await refuse(page, { method: 'POST', path: '/files/bulk/share', ...answer })
    await (await closeWhileSharing()).letGo()
    await toast('no space left').waitFor()
  })

  it('adds one by Tab and goes on, lets them edit, and keeps all of it when it fails', async () => {
    await open()
    await day('Friday, 13 July').click()
    await selected('5')
    await press(page, 's', 'an')
    await then().getByText('Anna sees all 5.').waitFor()
    await press(page, 'Tab', 'joh')
    await dialog()
      .getByRole('group', { name: 'Johanna' })
      .getByRole('radio', { name: 'Edit' })
      .click()
    await says(then(), 'Johanna sees and may edit all 5.')
    const path = '/files/bulk/share'
    const allow = await refuse(page, {
      method: 'POST',
      path,
      status: 507,
      code: 'insufficient_storage',
    })
    await press(page, 'Enter')
    await dialog().getByRole('alert').filter({ hasText: 'no space left' }).waitFor()
    assert.equal((await anna.sees()).size, 0)
    await allow()
    await press(page, 'Enter')
    await toast('Anna sees all 5. Johanna sees and may edit all 5.').waitFor()
    assert.equal((await anna.sees()).size, 5)
    assert.equal(await eve.status('PATCH', `/files/${own[5]}`, { notes: 'mine' }), 200)
    const remove = [anna.id, eve.id]
    await jonas.call('POST', '/files/bulk/share', { file_ids: own.slice(5), remove })
  })

  it('opens files to everybody, which one undo takes back', async () => {
    await open()
    await day('Friday, 13 July').click()
    await selected('5')
    await press(page, 's')
    await page.getByRole('switch', { name: /^Everybody/ }).click()
    await says(then(), 'Everybody here sees all 5.')
    await page.getByRole('button', { name: /^Change/ }).click()
    await toast('Everybody here sees all 5.').waitFor()
    assert.equal((await eve.sees()).size, 5)
    await press(page, 'Control+z')
    await toast('Undone').waitFor()
    assert.equal((await eve.sees()).size, 0)
  })

  it('shares nothing that is others’', async () => {
    await page.goto(`/?search=${encodeURIComponent('picture')}`)
    await page.goto(`/f/${gallery.ids[0]}`)
    await page.locator('.viewer .facts').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Share' }).count(), 0)
  })
})
