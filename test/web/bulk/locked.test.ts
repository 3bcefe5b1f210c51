import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../../src/gallery/base/error.ts'
import { FLAGS } from '../../../src/gallery/base/listing.ts'
import { lockedOf } from '../../../src/gallery/bulk/left-out.ts'

const LISTING = [...'abcdefghi']
/** Others' files. */
const LOCKED = ['b', 'd', 'h']
const flagOf = (id: string) => (LOCKED.includes(id) ? FLAGS.shared : FLAGS.editable)

const loaded = (...ids: string[]) => new Map(ids.map((id) => [id, flagOf(id)]))

/** Reads three files at once. */
function reader() {
  const asked: string[] = []
  const read = async (anchor: string) => {
    asked.push(anchor)
    const from = LISTING.indexOf(anchor)
    if (from < 0) throw new ApiError(404, 'not_found')
    const ids = LISTING.slice(from, from + 3)
    return { ids, f: ids.map(flagOf) }
  }
  return { asked, read }
}

describe('files that may not be edited', () => {
  it('are known of those that are loaded, without a request', async () => {
    const { asked, read } = reader()
    assert.deepEqual(await lockedOf(['a', 'b', 'h'], loaded('a', 'b', 'h'), read), ['b', 'h'])
    assert.deepEqual(asked, [])
  })

  it('are asked for of the others, together with those that follow', async () => {
    const { asked, read } = reader()
    const ids = ['a', 'b', 'c', 'd', 'g', 'h']
    assert.deepEqual(await lockedOf(ids, loaded('a'), read), ['b', 'd', 'h'])
    assert.deepEqual(asked, ['b', 'g'])
  })

  it('are not those that are gone', async () => {
    const { read } = reader()
    assert.deepEqual(await lockedOf(['gone', 'd'], loaded(), read), ['d'])
  })

  it('are not guessed when they can not be read', async () => {
    const read = () => Promise.reject(new ApiError(0, 'no_connection'))
    await assert.rejects(lockedOf(['a'], loaded(), read), { code: 'no_connection' })
  })
})
