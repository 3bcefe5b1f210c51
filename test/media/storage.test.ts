import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DERIVATIVES, type DerivativeKind, dataFolder } from '../../src/media/data-folder.ts'
import type { ReadRange } from '../../src/media/file-bytes.ts'
import { openStorage, type Storage } from '../../src/media/storage.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/media/media.ts'
import { together } from '../support/stored-files.ts'

const BLOB = 'ab'.repeat(16)
/** What is made from a content when nothing is. */
const nothingMade = async () => ({ later: null })
const KINDS = ['files', 'thumbnails', 'previews', 'thumbnails640', 'full']

describe('storage', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let storage: Storage
  before(async () => {
    folder = await temporaryFolder()
    storage = await openStorage(join(folder.path, 'data'))
  })
  after(() => folder.remove())

  const data = (...parts: string[]) => join(folder.path, 'data', ...parts)
  const pictureAt = (kind: DerivativeKind, blob: string) =>
    dataFolder(data()).derivative(kind, blob)
  const store = async (...chunks: Uint8Array[]) => {
    const temporary = await storage.createTemporary()
    for (const chunk of chunks) await temporary.write(chunk)
    const finished = await temporary.finish()
    const blob = await storage.newBlob()
    await storage.keep(temporary, blob, nothingMade)
    return { ...finished, blob, temporary }
  }
  const readBlob = async (blob: string, range?: ReadRange) =>
    together(await storage.stream(blob, range))

  it('makes a folder for each kind of file when its first content comes', async () => {
    const other = await temporaryFolder()
    const path = (kind: string) => join(other.path, kind)
    const inOther = await openStorage(other.path)
    for (const kind of KINDS) assert.deepEqual(await readdir(path(kind)), [])
    const temporary = await inOther.createTemporary()
    await temporary.finish()
    const blob = await inOther.newBlob()
    await inOther.keep(temporary, blob, nothingMade)
    for (const kind of KINDS) assert.deepEqual(await readdir(path(kind)), [blob.slice(0, 2)])
    await other.remove()
  })

  it('goes on when a temporary file can not be removed', async () => {
    const temporary = await storage.createTemporary()
    await temporary.finish()
    const path = await temporary.withLocalFile(async (path) => path)
    await rm(path)
    await mkdir(path)
    await temporary.discard()
    assert.deepEqual(await readdir(data('tmp')), [basename(path)])
    await rm(path, { recursive: true })
  })

  it('makes the folders of pictures again where a backup has left them out', async () => {
    const other = await temporaryFolder()
    await mkdir(join(other.path, 'files', 'ab'), { recursive: true })
    // What a file browser leaves is none of them.
    await writeFile(join(other.path, 'files', '.DS_Store'), '')
    await mkdir(join(other.path, 'thumbnails'))
    await writeFile(join(other.path, 'thumbnails', '.DS_Store'), '')
    await openStorage(other.path)
    const { derivative } = dataFolder(other.path)
    const paths = [derivative('thumbnail', BLOB), derivative('preview', BLOB)]
    for (const path of paths) await writeFile(path, 'made')
    assert.deepEqual(await readdir(join(other.path, 'previews')), ['ab'])
    await other.remove()
  })

  it('empties the temporary folder when it is opened, and nothing else', async () => {
    const other = await temporaryFolder()
    await mkdir(join(other.path, 'files', 'ab'), { recursive: true })
    await openStorage(other.path)
    const kept = dataFolder(other.path).derivative('thumbnail', BLOB)
    await writeFile(kept, 'kept')
    await mkdir(join(other.path, 'tmp', 'folder'))
    await writeFile(join(other.path, 'tmp', 'folder', 'left'), 'x')
    await writeFile(join(other.path, 'tmp', 'left'), 'x')
    await openStorage(other.path)
    assert.deepEqual(await readdir(join(other.path, 'tmp')), [])
    assert.equal(await readFile(kept, 'utf8'), 'kept')
    await other.remove()
  })

  it('keeps what was written, with its size and digest', async () => {
    const chunks = [randomBytes(100_000), Buffer.alloc(0), randomBytes(1), randomBytes(65_537)]
    const whole = Buffer.concat(chunks)
    const { blob, size, sha256 } = await store(...chunks)
    assert.equal(size, whole.length)
    assert.deepEqual(Buffer.from(sha256), createHash('sha256').update(whole).digest())
    assert.ok((await readBlob(blob)).equals(whole))
    assert.deepEqual(await readFile(data('files', blob.slice(0, 2), blob)), whole)
    assert.deepEqual(await readdir(data('tmp')), [])
  })

  it('gives equal contents blobs of their own', async () => {
    const first = await store(Buffer.from('same'))
    const second = await store(Buffer.from('same'))
    assert.notEqual(first.blob, second.blob)
    await storage.removeBlob(first.blob)
    assert.equal((await readBlob(second.blob)).toString(), 'same')
  })

  it('discards a file at any time, as often as asked', async () => {
    const fresh = await storage.createTemporary()
    await fresh.discard()
    const begun = await storage.createTemporary()
    await begun.write(Buffer.from('half'))
    await begun.discard()
    await begun.discard()
    const done = await storage.createTemporary()
    await done.finish()
    await assert.rejects(done.write(Buffer.from('too late')))
    await done.discard()
    assert.deepEqual(await readdir(data('tmp')), [])
  })

  it('empties it of what a stranger has left there, too', async () => {
    const other = await temporaryFolder()
    const left = join(other.path, 'tmp', 'decode', '0', 'out')
    await mkdir(join(left, 'closed', 'more'), { recursive: true })
    await writeFile(Buffer.concat([Buffer.from(`${left}/`), Buffer.from([0xff, 0xfe, 10])]), 'x')
    await symlink('/etc', join(left, 'link'))
    await chmod(join(left, 'closed'), 0)
    // A path of 20 KB, which no call of the system takes.
    const deep = `n=0; while [ $n -lt 100 ]; do mkdir ${'x'.repeat(200)}; cd -P ${'x'.repeat(200)}; n=$((n + 1)); done`
    execFileSync('/bin/sh', ['-c', deep], { cwd: left, stdio: 'ignore' })
    await openStorage(other.path)
    assert.deepEqual(await readdir(join(other.path, 'tmp')), [])
    assert.ok((await readdir('/etc')).length > 0)
    await other.remove()
  })

  it('leaves a kept content when its temporary file is discarded', async () => {
    const { blob, temporary } = await store(Buffer.from('kept'))
    await temporary.discard()
    assert.equal((await readBlob(blob)).toString(), 'kept')
  })

  it('removes a content with its derivatives', async () => {
    const { blob } = await store(Buffer.from('gone'))
    for (const kind of DERIVATIVES) await writeFile(pictureAt(kind, blob), 'made')
    await storage.removeBlob(blob)
    await storage.removeBlob(blob)
    for (const kind of KINDS) {
      assert.equal((await readdir(data(kind, blob.slice(0, 2)))).includes(blob), false)
      assert.equal((await readdir(data(kind, blob.slice(0, 2)))).includes(`${blob}.jpg`), false)
    }
    await assert.rejects(storage.stream(blob), { code: 'ENOENT' })
  })

  it('removes what was made from a content, and leaves that', async () => {
    const { blob } = await store(Buffer.from('stays'))
    for (const kind of DERIVATIVES) await writeFile(pictureAt(kind, blob), 'made')
    await storage.removeDerivatives(blob)
    await storage.removeDerivatives(blob)
    const left = await readdir(join(folder.path, 'data'), { recursive: true })
    assert.deepEqual(
      left.filter((path) => path.includes(blob)),
      [join('files', blob.slice(0, 2), blob)],
    )
    assert.equal((await readBlob(blob)).toString(), 'stays')
  })

  it('moves a file once something was made of it, which still finds it at the same path', async () => {
    const temporary = await storage.createTemporary()
    await temporary.write(Buffer.from('lent'))
    await temporary.finish()
    const blob = await storage.newBlob()
    let giveBack = () => {}
    const later = new Promise<void>((resolve) => {
      giveBack = resolve
    })
    const { path } = await storage.keep(temporary, blob, async (path) => {
      await assert.rejects(storage.stream(blob), { code: 'ENOENT' })
      return { later, path }
    })
    assert.equal(await readFile(path, 'utf8'), 'lent')
    assert.equal(String(await readBlob(blob)), 'lent')
    giveBack()
    await eventually(async () => (await readdir(data('tmp'))).length === 0)
  })

  it('moves no file of which nothing can be made, and leaves only that', async () => {
    const temporary = await storage.createTemporary()
    await temporary.finish()
    const blob = await storage.newBlob()
    const made = storage.keep(temporary, blob, () => Promise.reject(new Error('broken')))
    await assert.rejects(made, /broken/)
    await assert.rejects(storage.stream(blob), { code: 'ENOENT' })
    assert.equal((await readdir(data('tmp'))).length, 1)
    await temporary.discard()
    assert.deepEqual(await readdir(data('tmp')), [])
  })

  it('moves a file first where the system makes no other name of it, for whatever reason', async () => {
    const blob = await storage.newBlob()
    const long = data('tmp', 'x'.repeat(300))
    for (const path of [data('tmp', 'absent'), data('tmp', 'absent', 'below'), long]) {
      const absent = { withLocalFile: (fn: (path: string) => Promise<never>) => fn(path) }
      const make = () => assert.fail('nothing is there')
      await assert.rejects(storage.keep(absent as never, blob, make), { syscall: 'rename' })
    }
    assert.deepEqual(await readdir(data('tmp')), [])
  })

  it('reads what is asked for, and tells when that is not all there', async () => {
    const whole = randomBytes(2 ** 20 + 7)
    const { blob } = await store(whole)
    for (const range of [{}, { start: 5 }, { start: 1, end: 2 }, { start: 7, end: 2 ** 20 + 7 }]) {
      const { start, end } = { start: 0, end: whole.length, ...range }
      assert.ok((await readBlob(blob, range)).equals(whole.subarray(start, end)))
    }
    await assert.rejects(readBlob(blob, { end: whole.length + 1 }), /shorter than/)
    const { size, sha256 } = await storage.digest(blob)
    const expected = createHash('sha256').update(whole).digest('hex')
    assert.deepEqual([size, sha256], [whole.length, expected])
    await storage.readStart(blob)
  })

  it('goes on reading a content that is removed meanwhile', async () => {
    const whole = randomBytes(2 ** 21)
    const { blob } = await store(whole)
    const bytes = await storage.stream(blob)
    const first = await bytes.next()
    await storage.removeBlob(blob)
    const rest = await together(bytes)
    assert.ok(Buffer.concat([first.value!, rest]).equals(whole))
    for (const read of [storage.stream, storage.readStart, storage.digest, storage.asBlob]) {
      await assert.rejects(read(blob), { code: 'ENOENT' })
    }
  })
})
