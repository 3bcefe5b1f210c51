import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { assertAccessible } from '../../web/support/axe.ts'
import { hold } from '../../web/support/hold.ts'
import { putSource } from '../../web/support/import-folder.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../web/support/open-gallery.ts'
import { madeUpPictures } from '../../web/support/pictures.ts'

/** So many that somebody can end it before they are all in. */
const MANY = 500

let gallery: OpenGallery
let page: Page
let picture: Uint8Array

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery()
  page = gallery.page
  picture = (await madeUpPictures(1))[0]!.bytes
})

after(() => gallery?.close())

/** Puts files into a folder of the import folder. */
async function put(folder: string, files: Record<string, string | Uint8Array>): Promise<string> {
  const path = join(gallery.dataDir, 'import', folder)
  await mkdir(path, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    await putSource(gallery.dataDir, join(folder, name), content)
  }
  return path
}

const many = () =>
  Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`many ${n}.jpg`, picture]))
const card = (name: string, on = page) => on.getByRole('region', { name })
const button = (name: string | RegExp, on = page) => on.getByRole('button', { name })

/** Switches off what is on by default, so that files leave their folder, and copies come too. */
async function takeAll(): Promise<void> {
  await button('More options').click()
  for (const name of ['Subfolders too', 'Keep the originals', 'Only what is new']) {
    await page.getByRole('switch', { name }).press('Space')
  }
}

const file = (name: string) => page.getByRole('listitem').filter({ hasText: name })

interface ImportState {
  state: string
  tallies: { imported: number; total: number }
}
const told = () => gallery.call<ImportState>('GET', '/files/import')

const untilOver = () =>
  eventually(async () => {
    const state = await told()
    return state.state !== 'running' && state
  })

describe('the import', { skip: withoutChromium }, () => {
  it('takes a folder that is chosen by keys, tells what was not taken and why, and is undone', async () => {
    const path = await put('camera/2018', {
      'lake.jpg': picture,
      'notes.docx': 'no picture',
      'empty.jpg': '',
      '.hidden': 'hidden',
    })
    await mkdir(join(path, 'more'))
    await symlink('/etc/passwd', join(path, 'link.jpg'))
    await page.goto('/keep/import')
    await page.getByText('Nothing has been imported since the server started.').waitFor()
    await assertAccessible(page, 'import')
    await button('Open camera').press('Enter')
    // Hidden ones, folders and links are no files.
    await button('2018 3').press('Enter')
    await takeAll()
    await page.getByText('1 photo or video will be moved out of the folder.').waitFor()
    await button('Import this folder').press('Enter')

    await page.getByText('1 photo is imported').waitFor()
    const last = card('Last import: camera/2018')
    await last.getByText('6 of 6 entries').waitFor()
    await last.getByText('by admin, started').waitFor()
    const tallies = await last.locator('dl > div').allInnerTexts()
    assert.deepEqual(
      tallies.map((text) => text.split('\n')),
      [
        ['1', 'new'],
        ['5', 'skipped'],
        ['0', 'failed'],
      ],
    )
    const refused = await card('Not imported').getByRole('listitem').allInnerTexts()
    assert.deepEqual(refused.map((text) => text.split('\n')).sort(), [
      ['.hidden', 'hidden'],
      ['empty.jpg', 'empty'],
      ['link.jpg', 'a link'],
      ['more', 'a folder of its own'],
      ['notes.docx', 'not a photo or video'],
    ])
    await assertAccessible(page, 'an import that is over')
    assert.deepEqual((await readdir(path)).includes('lake.jpg'), false)

    const saved = page.waitForEvent('download')
    await button('Save the list').click()
    const list = await readFile(await (await saved).path(), 'utf8')
    assert.deepEqual(list.trim().split('\n').sort()[1], 'empty.jpg\tempty')

    await page.keyboard.press('Control+z')
    await page.getByText('Undone', { exact: true }).waitFor()
    const { total } = await gallery.call<{ total: number }>('GET', '/files/ids?trash=true&limit=1')
    assert.equal(total, 1)
  })

  it('is followed in another browser, which begins none beside it and may end it', async () => {
    await put('many', many())
    const other = await gallery.stranger()
    await other.goto('/keep/import')
    await enter(other)
    await other.getByText('Last import', { exact: true }).waitFor()
    // Error rows stay, for others too.
    await other.getByText('notes.docx').waitFor()
    // It hears of the next one only when it asks.
    const { held, letGo } = await hold(other, { method: 'GET', path: '/files/import' })
    await held

    await page.reload()
    await takeAll()
    await button(/^many/).click()
    await page.getByText(`${MANY} photos and videos will be moved`).waitFor()
    await button('Import this folder').click()
    await card('Importing: many').waitFor()
    assert.equal(await button(/^Import/).isDisabled(), true)
    await page.getByText('Only one import runs at a time. This one waits.').waitFor()

    await button('Import this folder', other).click()
    await letGo()
    await other.getByText('Not started: another import is running.').waitFor()
    // Which folder it is, only its own page knows.
    await card('Importing', other).getByText('by admin, started').waitFor()
    await assertAccessible(other, 'an import that runs')
    await button('Stop the import', other).click()
    await other.getByText('Stopped by admin.').waitFor()
    const { state, tallies } = await told()
    assert.equal(state, 'done')
    assert.ok(tallies.imported < MANY, `${tallies.imported} were imported`)
    await page.getByText('Stopped by admin.').waitFor()
    await page.getByText(/photos? (is|are) imported/).waitFor()
    await other.close()
  })

  it('goes on while another screen is open, and asks before its page is left', async () => {
    await page.goto('/keep/import')
    await takeAll()
    await button(/^many/).click()
    await button('Import this folder').click()
    await card('Importing: many').waitFor()
    await page.getByRole('link', { name: 'Photos' }).click()
    await page.getByRole('heading', { level: 1, name: 'Photos' }).waitFor()
    assert.equal((await told()).state, 'running')
    const asked = page.waitForEvent('dialog')
    const leaving = page.goto('/about').catch(() => {})
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await leaving
    await page.goBack()
    await page.waitForURL('**/keep/import')
    await button('Stop the import').click()
    await page.getByText('Stopped by admin.').waitFor()
    await untilOver()
  })

  it('tells that the server was started again, and what had not been taken before', async () => {
    await put('cut', { 'a note.txt': 'no picture', ...many() })
    await page.goto('/keep/import')
    await takeAll()
    await button(/^cut/).click()
    await button('Import this folder').click()
    await file('a note.txt').waitFor()
    await gallery.stopServer('SIGKILL')
    await gallery.startServer()
    await page.getByText('The server was restarted in the meantime.').waitFor()
    await file('a note.txt').getByText('not a photo or video').waitFor()
    await page.getByText('The import was interrupted.').waitFor()
    assert.equal(await button(/^Import/).isEnabled(), true)
  })

  it('says that a folder is gone, and leads back', async () => {
    const inner = await put('empty/inner', {})
    await page.goto('/keep/import')
    await button('Open empty').waitFor()
    await rm(join(inner, '..'), { recursive: true })
    await button('Open empty').click()
    await page.getByText('There is no such folder').waitFor()
    await card('Next import').getByRole('button', { name: 'import' }).click()
    await button(/^many/).waitFor()
    assert.equal(await button('Open empty').count(), 0)
  })
})

describe('a server without an import folder', { skip: withoutChromium }, () => {
  it('says so, to admins alone', async () => {
    const off = await openGallery({ env: { IMPORT_PATH: '' } })
    await off.page.goto('/keep/import')
    await off.page.getByText('Import is switched off on this server').waitFor()
    await assertAccessible(off.page, 'no import')
    const anna = { name: 'Anna', password: 'a password of Anna', can_create: true }
    await off.call('POST', '/users', anna)
    const other = await off.stranger()
    for (const screen of ['import', 'users', 'audit']) {
      await other.goto(`/keep/${screen}`)
      if (screen === 'import') await enter(other, anna.name, anna.password)
      await other.getByRole('heading', { name: 'Only admins can see this' }).waitFor()
    }
    await other.locator('.me').click()
    assert.deepEqual(await other.getByRole('menuitem').allInnerTexts(), [
      'Settings',
      'Keys',
      'About',
      'Sign out',
    ])
    await off.close()
  })
})

describe('the search for look-alikes', { skip: withoutChromium }, () => {
  it('is begun by hand, tells how far it is and what it found, in other browsers too', async () => {
    await page.goto('/keep/import')
    const own = card('Look-alikes')
    await own.getByText('Never scanned').waitFor()
    await button('Scan again').click()
    await own.getByText('Scanning, started by admin').waitFor()
    // All of the many are the same picture.
    const found = own.getByRole('link', { name: '1 group of look-alikes' })
    await found.waitFor()
    await own.getByText('Last scan:').waitFor()
    await page.reload()
    await found.waitFor()
  })
})
