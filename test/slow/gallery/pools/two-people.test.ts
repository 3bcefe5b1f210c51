import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, describe, it } from '../../../support/test.ts'
import { hold } from '../../../web/support/hold.ts'
import {
  enter,
  type OpenGallery,
  openGallery,
  withoutChromium,
} from '../../../web/support/open-gallery.ts'
import {
  carry,
  cellOf,
  makePool,
  openPool,
  orderOf,
  put,
  select,
  showsTruth,
} from '../../../web/support/pool.ts'

const FILES = 24
const ANNA = { name: 'Anna', password: 'a password of Anna' }

let gallery: OpenGallery
let ids: string[]
/** The page of Anna, her id, and the id of a pool with all files. */
let other: Page
let anna: number
let walks: string

before(async () => {
  if (withoutChromium) return
  gallery = await openGallery({ files: FILES })
  ids = gallery.ids
  anna = (await gallery.call<{ id: number }>('POST', '/users', ANNA)).id
  await gallery.call('POST', '/files/bulk/update', { file_ids: ids, set: { is_public: true } })
  walks = await makePool(gallery, 'Walks', ids)
  await gallery.call('PATCH', `/pools/${walks}`, { is_public: true })
})

after(() => gallery?.close())

describe('a pool of two people', { skip: withoutChromium }, () => {
  it('can be seen and not be changed by who may only view it', async () => {
    other = await gallery.stranger()
    await other.goto(`/albums/${walks}`)
    await enter(other, ANNA.name, ANNA.password)
    await other.locator('.album h1', { hasText: 'Walks' }).waitFor()
    await cellOf(other, ids[0]!).waitFor()
    await select(other, ids[0]!)
    assert.equal(await other.getByRole('button', { name: 'In this album' }).count(), 0)
    await other.getByRole('button', { name: 'More about this album' }).click()
    assert.deepEqual(await other.getByRole('menuitem').allTextContents(), ['Filter this album'])
  })

  it('has the moves of both, when one makes hers in what she saw before', async () => {
    const permissions = [{ user_id: anna, can_edit: true }]
    await gallery.call('PUT', `/acl/pool/${walks}`, { permissions })
    await openPool(other, walks)
    const meanwhile = put(ids, [ids[0]!], FILES - 1)
    await gallery.call('PUT', `/pools/${walks}/files/reorder`, { file_ids: meanwhile })
    await carry(other, cellOf(other, ids[9]!), cellOf(other, ids[4]!))
    await other.mouse.up()
    await other.getByText('1 photo moved').waitFor()
    const order = await orderOf(gallery, walks)
    assert.deepEqual(order, put(meanwhile, [ids[9]!], meanwhile.indexOf(ids[4]!)))
    await showsTruth(gallery, other, walks)
  })

  it('is shown as it is to who was second', async () => {
    const { held, letGo } = await hold(other, { method: 'PUT', path: '/files/reorder' })
    await carry(other, cellOf(other, ids[12]!), cellOf(other, ids[2]!))
    await other.mouse.up()
    await held
    // Meanwhile a file of those that she names leaves the pool.
    await gallery.call('POST', `/pools/${walks}/files/remove`, { file_ids: [ids[1]] })
    const before = await orderOf(gallery, walks)
    // The first one is refused, and sent again as it may be now.
    const stored = other.waitForResponse(
      (response) => response.url().endsWith('/files/reorder') && response.ok(),
    )
    await letGo()
    await stored
    const order = put(before, [ids[12]!], before.indexOf(ids[2]!))
    assert.deepEqual(await orderOf(gallery, walks), order)
    await showsTruth(gallery, other, walks)
    await other.getByText('23 photos').waitFor()
  })

  it('is shown by date when somebody has sorted it so meanwhile', async () => {
    // After her change before, the page would read the album once more.
    await openPool(other, walks)
    await cellOf(other, ids[14]!).waitFor()
    await gallery.call('PATCH', `/pools/${walks}`, { sort_key: 'content_datetime' })
    await carry(other, cellOf(other, ids[8]!), cellOf(other, ids[14]!))
    await other.mouse.up()
    await other.getByText('somebody has changed this album').waitFor()
    await other.locator('.day').first().waitFor()
  })
})
