import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openPageCache } from '../../src/media/page-cache.ts'
import { temporaryFolder, without } from '../support/media/media.ts'

const MIB = 2 ** 20
const isBun = 'Bun' in globalThis

describe('the page cache', () => {
  const content = randomBytes(3 * MIB)
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let path: string
  let cache: Awaited<ReturnType<typeof openPageCache>>
  before(async () => {
    folder = await temporaryFolder()
    path = join(folder.path, 'content')
    writeFileSync(path, content)
    cache = await openPageCache()
  })
  after(() => folder.remove())

  /** Has the system forget the file's bytes, which it only does once they are on the disk. */
  const forget = () =>
    execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], {
      stdio: 'ignore',
    })
  /** Returns how many bytes of the file are in memory, as the system tells it. */
  const inMemory = () =>
    Number(execFileSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', path]))

  it('has what was just written, on Bun', { skip: process.platform !== 'linux' }, () => {
    const expected = isBun ? content.subarray(1000, 66_536) : null
    assert.deepEqual(cache.read(path, 1000, 65_536), expected)
    assert.deepEqual(cache.read(path, 2 * MIB, MIB), isBun ? content.subarray(2 * MIB) : null)
  })

  it('has nothing that is not there', () => {
    assert.equal(cache.read(join(folder.path, 'nothing'), 0, 10), null)
    assert.equal(cache.read(folder.path, 0, 10), null)
    assert.equal(cache.read(path, 3 * MIB - 10, 11), null)
    assert.equal(cache.read(path, 3 * MIB, 1), null)
    assert.equal(cache.read(path, 0, 0), null)
  })

  it('reads no more in one go than copying holds everybody for', () => {
    assert.equal(cache.read(path, 0, MIB + 1), null)
  })

  const skip = without('fincore', '--version')
  it('has nothing of what is on the disk alone, until somebody has read it', { skip }, (t) => {
    forget()
    if (inMemory() > 0) return t.skip('the file system keeps its files in memory')
    assert.equal(cache.read(path, 0, 1000), null)
    readFileSync(path)
    assert.deepEqual(cache.read(path, 0, 1000), isBun ? content.subarray(0, 1000) : null)
  })
})
