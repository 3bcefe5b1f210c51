import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import type { CellPage } from '../../../src/files/overview/schema.ts'
import { type Library, openLibrary } from '../../support/harness.ts'

let library: Library
let owner: Awaited<ReturnType<Library['join']>>
const ids: Record<string, string> = {}

/** What was taken when, by what; seconds after noon. */
const TAKEN: [name: string, seconds: number, camera: string | null][] = [
  ['alone', 0, 'X100'],
  ['first', 10, 'X100'],
  ['second', 11, 'X100'],
  ['third', 13, 'X100'],
  ['too late', 16, 'X100'],
  ['of another', 17, 'Pixel'],
  ['nameless', 30, null],
  ['nameless, too', 31, null],
]

before(async () => {
  library = await openLibrary()
  owner = await library.join('owner', { can_create: true })
  for (const [at, [name, seconds, camera]] of TAKEN.entries()) {
    const clock = `2024:05:06 12:00:${String(seconds).padStart(2, '0')}`
    const bytes = await sharp({
      create: { width: 16, height: 16, channels: 3, background: { r: at, g: 99, b: 0 } },
    })
      .withExif({
        IFD0: camera === null ? {} : { Model: camera },
        IFD2: { DateTimeOriginal: clock },
      })
      .jpeg()
      .toBuffer()
    ids[name] = (await library.upload(owner.token, bytes, `${name}.jpg`)).body.id
  }
})
after(() => library.close())

/** Returns the names of the files of each series in a list. */
async function series(query: string, who = owner): Promise<string[][]> {
  const { body } = await library.call('GET', `/files/cells?series=1&${query}`, who)
  const page: CellPage = body
  const found = new Map<number, string[]>()
  for (const [at, id] of page.ids.entries()) {
    const first = page.s![at]!
    if (first === null) continue
    const name = Object.keys(ids).find((each) => ids[each] === id)!
    found.set(first, [...(found.get(first) ?? []), name])
  }
  return [...found.values()]
}

describe('a series', () => {
  it('is pictures of one camera within two seconds of each other', async () => {
    assert.deepEqual(await series('sort=content_datetime&order=asc'), [
      ['first', 'second', 'third'],
    ])
    assert.deepEqual(await series('sort=content_datetime'), [['third', 'second', 'first']])
  })

  it('is none in another order, and not told unless asked for', async () => {
    assert.deepEqual(await series('sort=original_name'), [])
    const { body } = await library.call('GET', '/files/cells?sort=content_datetime', owner)
    assert.ok(!('s' in body))
  })

  it('is made of what its viewer sees', async () => {
    const guest = await library.join('guest')
    const permissions = [{ user_id: guest.id, can_view: true, can_edit: false }]
    const show = (name: string) =>
      library.call('PUT', `/acl/file/${ids[name]}`, { token: owner.token, body: { permissions } })
    await show('first')
    await show('third')
    assert.deepEqual(await series('sort=content_datetime', guest), [])
    await show('second')
    assert.deepEqual(await series('sort=content_datetime', guest), [['third', 'second', 'first']])
  })
})
