import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectory } from '../../../src/files/archive/directory.ts'
import { createZip } from '../../../src/files/archive/zip.ts'
import { streamFile } from '../../../src/media/file-bytes.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { unzipped, withoutUnzip } from '../../support/zip.ts'

/** The numbers of a ZIP without ZIP64 are smaller. */
const FULL = 2 ** 32 - 1
const LIST = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
  print(json.dumps([[i.filename, i.file_size, i.header_offset] for i in archive.infolist()]))
`
const CLOCK = Date.UTC(2018, 6, 3, 21, 0, 0)
const PIECE = 2 ** 19
const OF_SMALL = 2 ** 18

let folder: string
let nothing: ReturnType<typeof streamFile>
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagstead-zip-'))
  nothing = streamFile('/dev/null', { end: 0 })
})
after(() => rmSync(folder, { recursive: true }))

const pathOf = (name: string) => join(folder, name)

/** Returns an archive of files with so many bytes each, and the names of those opened so far. */
function archiveOf(count: number, size: number) {
  const opened: string[] = []
  const zip = createZip({
    stream: (blob, range) => {
      opened.push(blob)
      return size > 0 ? streamFile(pathOf(blob), range) : nothing
    },
    onUnread: (blob, error) => assert.fail(`${blob}: ${error}`),
  })
  for (let n = 0; n < count; n++) {
    if (size > 0) writeFileSync(pathOf(`${n}`), Buffer.alloc(size, n))
    zip.add({ name: `${n}.jpg`, blob: `${n}`, size, clock: CLOCK })
  }
  return { ...zip.end(), opened }
}

async function piecesOf(bytes: AsyncGenerator<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return pieces
}

/** Returns the name, size and place of each file, as Python finds them. */
function listed(path: string): [string, number, number][] {
  const found = execFileSync('python3', ['-c', LIST, path], { maxBuffer: 2 ** 28 })
  return JSON.parse(found.toString())
}

describe('a ZIP', { skip: withoutUnzip }, () => {
  it('comes in large pieces, however small its files are', async () => {
    const { size, bytes } = archiveOf(1000, 1000)
    const pieces = await piecesOf(bytes)
    assert.deepEqual(
      pieces.map((piece) => piece.length),
      [OF_SMALL, OF_SMALL, OF_SMALL, OF_SMALL, size - 4 * OF_SMALL],
    )
    writeFileSync(pathOf('small.zip'), Buffer.concat(pieces))
    assert.equal(unzipped(pathOf('small.zip')).length, 1000)
  })

  it('has large contents in pieces of their own, which are copied at once', async () => {
    const { bytes } = archiveOf(2, 2 * PIECE + 5)
    const [first, ...rest] = (await piecesOf(bytes)).map((piece) => piece.length)
    const [header, descriptor] = [30 + '0.jpg'.length, 16]
    assert.equal(first, header)
    const between = 5 + descriptor + header
    assert.deepEqual(rest.slice(0, -1), [PIECE, PIECE, between, PIECE, PIECE])
  })

  it('is read one piece ahead of what is taken, and no further', async () => {
    const { bytes, opened } = archiveOf(10, 4 * PIECE)
    await bytes.next()
    // As long as it takes to read all of them.
    for (let n = 0; n < 10; n++) await readFile(pathOf(`${n}`))
    assert.deepEqual(opened, ['0'])
    await bytes.return(undefined)
  })

  it('has as many files as a ZIP counts, and more', async () => {
    const path = pathOf('many.zip')
    for (const count of [65_533, 65_534, 65_600]) {
      const { size, bytes } = archiveOf(count, 0)
      const whole = Buffer.concat(await piecesOf(bytes))
      assert.equal(whole.length, size)
      writeFileSync(path, whole)
      const found = listed(path)
      assert.deepEqual([found.length, found.at(-1)?.[0]], [count, `${count - 1}.jpg`])
    }
    const tested = execFileSync('unzip', ['-tq', path], { encoding: 'utf8' })
    assert.match(tested, /^No errors detected/)
  })

  it('has files of 4 GiB, and what comes after them', () => {
    const files = [
      { name: 'before.mp4', size: FULL - 1, clock: CLOCK },
      { name: 'ä.mp4', size: FULL, clock: CLOCK },
      { name: 'after.txt', size: 5, clock: CLOCK },
    ]
    const directory = createDirectory()
    for (const file of [...files, { name: 'left out', size: 500, clock: CLOCK }])
      directory.add(file)
    const path = pathOf('large.zip')
    const zip = openSync(path, 'w+')
    const places: number[] = []
    let at = 0
    let position = 0
    const put = (bytes: Uint8Array) => {
      position += writeSync(zip, bytes, 0, bytes.length, position)
    }
    for (const { size } of files) {
      places.push(position)
      put(directory.header(at))
      // The others are holes, and have another checksum.
      if (size === 5) writeSync(zip, 'after', position)
      position += size
      put(directory.descriptor(at, 0x89444e41))
      at = directory.after(at)
    }
    for (const bytes of directory.end({ hasLast: false })) put(bytes)
    assert.equal(position, directory.size())

    assert.deepEqual(
      listed(path),
      files.map(({ name, size }, n) => [name, size, places[n]]),
    )
    const tested = execFileSync('unzip', ['-t', path, 'after.txt'], { encoding: 'utf8' })
    assert.match(tested, /testing: after\.txt +OK\nNo errors/)
    // A field of ZIP64 in a header tells that the sizes after the content have eight bytes.
    const read = (length: number, position: number) => {
      const bytes = Buffer.alloc(length)
      readSync(zip, bytes, 0, length, position)
      return bytes.toString('hex')
    }
    const end = '504b0708414e4489'
    const [, second, third] = places
    assert.equal(read(2, 28), '0000')
    assert.equal(read(16, second! - 16), `${end}feffffff${'feffffff'}`)
    for (const [place, name] of [
      [second!, 6],
      [third!, 9],
    ] as const) {
      assert.equal(read(12, place + 18), `ffffffffffffffff0${name}001400`)
      assert.equal(read(20, place + 30 + name), '01001000'.padEnd(40, '0'))
    }
    assert.equal(read(24, third! - 24), `${end}${'ffffffff00000000'.repeat(2)}`)
    assert.equal(read(24, third! + 30 + 9 + 20 + 5), `${end}${'0500000000000000'.repeat(2)}`)
    closeSync(zip)
  })
})
