import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../../src/db/client.ts'
import { command, signIn } from '../../support/backups.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { spawnServer } from '../../support/spawn.ts'

describe('the mark of the contents', () => {
  let dataDir: string
  let remove: () => Promise<void>
  const path = (...names: string[]) => join(dataDir, ...names)
  const marker = () => path('files', '.library')
  /** As long as it is not mounted, the folder is there, and is empty. */
  const unmount = () => renameSync(path('files'), path('elsewhere'))
  const mount = async () => {
    await rm(path('files'), { recursive: true, force: true })
    renameSync(path('elsewhere'), path('files'))
  }
  const refused = (words: RegExp) => assert.rejects(spawnServer({ dataDir }), words)
  const idOf = () => {
    const db = openDatabase(path('tagstead.sqlite'))
    const { id } = db.get<{ id: string }>('SELECT id FROM library')!
    db.close()
    return id
  }

  before(async () => {
    const folder = await temporaryFolder()
    dataDir = join(folder.path, 'data')
    remove = folder.remove
    const server = await spawnServer({ dataDir })
    const admin = await signIn(server)
    for (const color of ['red', 'green']) await admin.upload(`${color}.jpg`, color)
    await server.stop()
  })
  after(() => remove())

  it('is there from the first start on', () => {
    assert.equal(readFileSync(marker(), 'utf8'), `${idOf()}\n`)
  })

  it('is made when a content is there, in a library of before there was one', async () => {
    rmSync(marker())
    await (await spawnServer({ dataDir })).stop()
    assert.equal(readFileSync(marker(), 'utf8'), `${idOf()}\n`)
  })

  it('is told of when it can not be made, and the server starts', async () => {
    rmSync(marker())
    mkdirSync(path('files', '.library.new'))
    const server = await spawnServer({ dataDir })
    await server.stop()
    rmdirSync(path('files', '.library.new'))
    assert.equal(server.output().split('the folder of the contents gets no mark').length, 2)
    assert.ok(!existsSync(marker()))
    await (await spawnServer({ dataDir })).stop()
    assert.ok(existsSync(marker()))
  })

  it('keeps a server from starting while the disk is not mounted, and commands from storing', async () => {
    unmount()
    const words = /has none of the contents: is its disk mounted\? .*tagstead check --adopt/
    await refused(words)
    for (const args of [['rescan'], ['import', '--user', 'admin']]) {
      const { code, stdout, stderr } = await command(dataDir, args)
      assert.equal(code, 1)
      assert.match(stdout + stderr, words)
    }
    assert.ok(!existsSync(marker()))
    const { code, stdout } = await command(dataDir, ['check', '--repair'])
    assert.equal(code, 1)
    assert.match(stdout, /^store_unknown files: .*is its disk mounted\?/m)
    assert.doesNotMatch(stdout, /^content_/m)
    await mount()
    await (await spawnServer({ dataDir })).stop()
  })

  it('keeps a server from the contents of another library', async () => {
    unmount()
    mkdirSync(path('files'))
    writeFileSync(marker(), `${'0'.repeat(32)}\n`)
    await refused(/has the contents of another library/)
    await mount()
  })

  it('gives its id to a database that was put back to before it had one', async () => {
    const own = idOf()
    const db = openDatabase(path('tagstead.sqlite'))
    db.run("UPDATE library SET id = '0123456789abcdef0123456789abcdef'")
    db.close()
    await (await spawnServer({ dataDir })).stop()
    assert.equal(idOf(), own)
  })

  it('can be made for a folder that has lost everything', async () => {
    unmount()
    const { code, stdout } = await command(dataDir, ['check', '--adopt', '--quick'])
    assert.equal(code, 1)
    assert.equal(stdout.match(/^content_missing /gm)?.length, 2)
    await (await spawnServer({ dataDir })).stop()
    await mount()
  })
})
