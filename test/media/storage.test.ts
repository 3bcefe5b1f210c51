import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DERIVATIVES } from '../../src/media/data-folder.ts'
import { openStorage, type Storage } from '../../src/media/storage.ts'
import { temporaryFolder } from '../support/media/media.ts'

const BLOB = 'ab'.repeat(16)
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
  const store = async (...chunks: Uint8Array[]) => {
    const temporary = await storage.createTemporary()
    for (const chunk of chunks) await temporary.write(chunk)
    const finished = await temporary.finish()
    const blob = await storage.newBlob()
    await storage.keep(temporary.path, blob)
    return { ...finished, blob, temporary }
  }
  const readBlob = async (blob: string) => {
    const handle = await storage.open(blob)
    try {
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  }

  it('makes a folder for each kind of file when its first content comes', async () => {
    const other = await temporaryFolder()
    const path = (kind: string) => join(other.path, kind)
    const inOther = await openStorage(other.path)
    for (const kind of KINDS) assert.deepEqual(await readdir(path(kind)), [])
    const temporary = await inOther.createTemporary()
    await temporary.finish()
    const blob = await inOther.newBlob()
    await inOther.keep(temporary.path, blob)
    for (const kind of KINDS) assert.deepEqual(await readdir(path(kind)), [blob.slice(0, 2)])
    await other.remove()
  })

  it('goes on when a temporary file can not be removed', async () => {
    const temporary = await storage.createTemporary()
    await temporary.finish()
    await rm(temporary.path)
    await mkdir(temporary.path)
    await temporary.discard()
    assert.deepEqual(await readdir(data('tmp')), [basename(temporary.path)])
    await rm(temporary.path, { recursive: true })
  })

  it('makes the folders of pictures again where a backup has left them out', async () => {
    const other = await temporaryFolder()
    await mkdir(join(other.path, 'files', 'ab'), { recursive: true })
    // What a file browser leaves is none of them.
    await writeFile(join(other.path, 'files', '.DS_Store'), '')
    await mkdir(join(other.path, 'thumbnails'))
    await writeFile(join(other.path, 'thumbnails', '.DS_Store'), '')
    const { thumbnailPath, derivativePath } = await openStorage(other.path)
    const paths = [thumbnailPath(BLOB), derivativePath('preview', BLOB)]
    for (const path of paths) await writeFile(path, 'made')
    assert.deepEqual(await readdir(join(other.path, 'previews')), ['ab'])
    await other.remove()
  })

  it('empties the temporary folder when it is opened, and nothing else', async () => {
    const other = await temporaryFolder()
    await mkdir(join(other.path, 'files', 'ab'), { recursive: true })
    const first = await openStorage(other.path)
    await writeFile(first.thumbnailPath(BLOB), 'kept')
    await mkdir(join(other.path, 'tmp', 'folder'))
    await writeFile(join(other.path, 'tmp', 'folder', 'left'), 'x')
    await writeFile(join(other.path, 'tmp', 'left'), 'x')
    const second = await openStorage(other.path)
    assert.deepEqual(await readdir(join(other.path, 'tmp')), [])
    assert.equal(await readFile(second.thumbnailPath(BLOB), 'utf8'), 'kept')
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
    for (const kind of DERIVATIVES) await writeFile(storage.derivativePath(kind, blob), 'made')
    await storage.removeBlob(blob)
    await storage.removeBlob(blob)
    for (const kind of KINDS) {
      assert.equal((await readdir(data(kind, blob.slice(0, 2)))).includes(blob), false)
      assert.equal((await readdir(data(kind, blob.slice(0, 2)))).includes(`${blob}.jpg`), false)
    }
    await assert.rejects(storage.open(blob), { code: 'ENOENT' })
  })

  it('removes what was made from a content, and leaves that', async () => {
    const { blob } = await store(Buffer.from('stays'))
    for (const kind of DERIVATIVES) await writeFile(storage.derivativePath(kind, blob), 'made')
    await storage.removeDerivatives(blob)
    await storage.removeDerivatives(blob)
    const left = await readdir(join(folder.path, 'data'), { recursive: true })
    assert.deepEqual(
      left.filter((path) => path.includes(blob)),
      [join('files', blob.slice(0, 2), blob)],
    )
    assert.equal((await readBlob(blob)).toString(), 'stays')
  })

  it('lends no other name where the system makes none, for whatever reason', async () => {
    const temporary = await storage.createTemporary()
    await temporary.write(Buffer.from('lent'))
    await temporary.finish()
    const lent = await storage.lend(temporary.path)
    assert.equal(await readFile(lent!.path, 'utf8'), 'lent')
    await lent!.giveBack()
    await temporary.discard()
    for (const path of [
      temporary.path,
      join(temporary.path, 'below'),
      data('tmp', 'x'.repeat(300)),
    ]) {
      assert.equal(await storage.lend(path), null)
    }
    assert.deepEqual(await readdir(data('tmp')), [])
  })
})
