import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openPageCache } from '../../src/media/page-cache.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder, without } from '../support/media/media.ts'
import { after, before, describe, it } from '../support/test.ts'

const MIB = 2 ** 20
const GIB = 2 ** 30
/** By linux/magic.h: where the temporary folder of a machine may be, and what is found in memory there. */
const LOCAL = [0xef53, 0x58465342, 0x9123683e, 0x01021994]

describe('the page cache', () => {
  const content = randomBytes(3 * MIB)
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let path: string
  let cache: Awaited<ReturnType<typeof openPageCache>>
  let isFilled: boolean
  before(async () => {
    folder = await temporaryFolder()
    path = join(folder.path, 'content')
    writeFileSync(path, content)
    cache = await openPageCache(folder.path)
    const isLocal = LOCAL.includes(statfsSync(folder.path).type)
    isFilled = 'Bun' in globalThis && process.platform === 'linux' && isLocal
  })
  after(() => folder.remove())

  /** Asks again until the bytes are there: the system may find a name only when it has nothing else to do. */
  const found = async (expected: Uint8Array, start: number, of = path) => {
    const read = () => cache.read(of, start, expected.length)
    if (!isFilled) return assert.equal(read(), null)
    await eventually(() => read() !== null)
    assert.ok(Buffer.from(read() ?? expected).equals(expected))
  }
  /** Has the system forget the file's bytes, which it only does once they are on the disk. */
  const forget = () =>
    execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], {
      stdio: 'ignore',
    })
  /** Returns how many bytes of the file are in memory, as the system tells it. */
  const inMemory = () =>
    Number(execFileSync('fincore', ['--bytes', '--noheadings', '--output', 'RES', path]))

  it('has what was just written, on Bun', async () => {
    await found(content.subarray(1000, 66_536), 1000)
    await found(content.subarray(2 * MIB), 2 * MIB)
  })

  it('finds what lies behind four gigabytes', async () => {
    const large = join(folder.path, 'large')
    const handle = await open(large, 'w')
    await handle.write(content, 0, 1000, 5 * GIB + 123)
    await handle.close()
    await found(content.subarray(0, 1000), 5 * GIB + 123, large)
  })

  it('has nothing that is not there', () => {
    assert.equal(cache.read(join(folder.path, 'nothing'), 0, 10), null)
    assert.equal(cache.read(folder.path, 0, 10), null)
    assert.equal(cache.read(path, 3 * MIB - 10, 11), null)
    assert.equal(cache.read(path, 3 * MIB, 1), null)
    assert.equal(cache.read(path, 0, 0), null)
  })

  it('waits for nobody who would write into a pipe', {
    skip: without('mkfifo', '--version'),
  }, () => {
    const pipe = join(folder.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    assert.equal(cache.read(pipe, 0, 10), null)
  })

  it('asks no disk that is not known to answer at once', async () => {
    const other = await openPageCache('/proc')
    assert.equal(other.read('/proc/version', 0, 10), null)
  })

  it('reads no more in one go than copying holds everybody for', () => {
    assert.equal(cache.read(path, 0, MIB + 1), null)
  })

  const skip = without('fincore', '--version')
  it('has nothing of what is on the disk alone, until somebody has read it', {
    skip,
  }, async (t) => {
    forget()
    if (inMemory() > 0) return t.skip('needs a file system on a disk')
    assert.equal(cache.read(path, 0, 1000), null)
    readFileSync(path)
    await found(content.subarray(0, 1000), 0)
  })
})
