import assert from 'node:assert/strict'
import sharp from 'sharp'
import { runBackground } from '../../../src/background/run.ts'
import { form, type Library, openLibrary } from '../../support/harness.ts'
import { after, before, describe, it } from '../../support/test.ts'

let library: Library
let token: string
let shade = 0
before(async () => {
  library = await openLibrary()
  token = (await library.join('Ann', { can_create: true })).token
})
after(() => library.close())

async function found(filter: string): Promise<string[]> {
  const query = new URLSearchParams({ filter })
  return (await library.call('GET', `/files/ids?${query}`, { token })).body.ids
}

/** Bytes of `count` frames that no other call returns. */
function frames(count: number, format: 'gif' | 'webp'): Promise<Buffer> {
  const data = Buffer.from(Array.from({ length: 768 * count }, (_, n) => (n * n + shade++) % 251))
  const raw = { width: 16, height: 16 * count, channels: 3 as const, pageHeight: 16 }
  return sharp(data, { raw }).toFormat(format).toBuffer()
}

const edit = (id: string, notes: string | null) =>
  library.call('PATCH', `/files/${id}`, { token, body: { notes } })

describe('notes', () => {
  it('are found as they are uploaded, edited, given to many files and cleared, in any case', async () => {
    const { body: first } = await library.upload(token, await frames(1, 'gif'), 'a.gif', {
      notes: 'We laughed, ÄRGER\nand σοφός',
    })
    const { body: second } = await library.upload(token, await frames(1, 'gif'), 'b.gif')
    for (const pattern of ['%laughed%', '%ärger%', '%ΣΟΦΌΣ', 'we laughed_ %']) {
      assert.deepEqual(await found(`{n~${pattern}}`), [first.id], pattern)
    }
    for (const pattern of ['laughed', '%arger%', '%laughed']) {
      assert.deepEqual(await found(`{n~${pattern}}`), [], pattern)
    }
    await edit(second.id, 'Laughed as well')
    assert.deepEqual(await found('{n~%laughed%}'), [second.id, first.id])
    assert.deepEqual(await found('{n~%laughed%,&,!,n~we%}'), [second.id])
    await edit(first.id, 'Cried')
    assert.deepEqual(await found('{n~%laughed%}'), [second.id])
    const bulk = { file_ids: [first.id, second.id], set: { notes: 'Both' } }
    assert.equal(
      (await library.call('POST', '/files/bulk/update', { token, body: bulk })).status,
      200,
    )
    assert.deepEqual(await found('{n~both}'), [second.id, first.id])
    assert.deepEqual(await found('{n~%laughed%}'), [])
    await edit(second.id, null)
    assert.deepEqual(await found('{n~%}'), [first.id])
    assert.deepEqual(await found('{!,n~%}'), [second.id])
  })

  it('from before they were searched are found once the background work is over', async () => {
    const { body } = await library.upload(token, await frames(1, 'gif'), 'old.gif', {
      notes: 'Older Öl',
    })
    library.deps.db.run('DELETE FROM file_notes')
    assert.deepEqual(await found('{n~%öl%}'), [])
    await runBackground(library.deps).over
    assert.deepEqual(await found('{n~%öl%}'), [body.id])
  })
})

describe('an animated picture', () => {
  it('is found, until its content is replaced by one of a single frame', async () => {
    const animated = []
    for (const format of ['gif', 'webp'] as const) {
      const still = await library.upload(token, await frames(1, format), `still.${format}`)
      assert.equal(still.status, 201)
      const { body } = await library.upload(token, await frames(3, format), `moves.${format}`)
      animated.unshift(body.id)
    }
    assert.deepEqual(await found('{x=animated}'), animated)

    library.deps.db.run("UPDATE file_looks SET is_animated = NULL, decoder = 'older'")
    library.deps.db.run('DELETE FROM background_work')
    assert.deepEqual(await found('{x=animated}'), [])
    await runBackground(library.deps).over
    assert.deepEqual(await found('{x=animated}'), animated)

    const body = form(await frames(1, 'gif'), 'still.gif')
    await library.call('PUT', `/files/${animated[0]}/content`, { token, body })
    assert.deepEqual(await found('{x=animated}'), animated.slice(1))
  })
})
