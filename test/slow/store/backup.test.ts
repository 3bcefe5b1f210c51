import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { command, filesIn, manifestOf, signIn } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { ENGINES, openEngine, withoutEngine } from '../../support/s3/engines.ts'
import { settingsOf } from '../../support/s3/signed.ts'
import { openSmallS3, type SmallS3 } from '../../support/s3/small-s3.ts'
import { spawnServer } from '../../support/spawn.ts'

describe('a library whose contents are in a store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let store: SmallS3
  let env: Record<string, string>
  let dataDir: string
  let dir: string
  before(async () => {
    folder = await temporaryFolder()
    store = await openSmallS3()
    env = { ...store.env, FFMPEG_PATH: '', DECODER_WALLS: 'environment' }
    dataDir = join(folder.path, 'data')
    dir = join(folder.path, 'backups')
    mkdirSync(dir)
  })
  after(async () => {
    await store.close()
    await folder.remove()
  })

  const objects = () => [...store.objects.keys()].filter((key) => !key.endsWith('.library'))
  const run = (to: string, ...args: string[]) => command(to, args, env)

  it('is backed up by its server without the contents, which a restore has again', async () => {
    const first = await spawnServer({ dataDir, env })
    const admin = await signIn(first)
    const { id, bytes } = await admin.upload('red.jpg', 'red')
    await admin.upload('green.jpg', 'green')
    await first.stop()
    const server = await spawnServer({ dataDir, env: { ...env, BACKUP_DIR: dir } })
    await eventually(() => server.output().includes('"backed up"'))
    assert.match(server.output(), /"backed up".*"copied":0.*"database_only":true/)
    const [generation] = filesIn(join(dir, 'generations')).map((path) => path.split('/')[0]!)
    assert.equal(manifestOf(dir, generation!).head.format, 2)
    const again = await signIn(server)
    await again.call('DELETE', `/files/${id}`)
    await again.call('DELETE', `/files/${id}/permanent`)
    assert.equal(objects().length, 2)
    await server.stop()

    assert.equal((await run(dataDir, 'backup', '--verify', dir)).code, 0)
    const to = join(folder.path, 'restored')
    const { code, stdout, stderr } = await run(to, 'restore', dir)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /: 2 of 2 contents/)
    const checked = await run(to, 'check')
    assert.match(checked.stdout, /: nothing is wrong\n$/)
    const restored = await spawnServer({ dataDir: to, env })
    assert.deepEqual(await (await signIn(restored)).bytes(`/files/${id}/content`), bytes)
    await restored.stop()
  })

  it('has what nobody waits for removed by the next start', async () => {
    const wrong = await run(dataDir, 'backup', '--forget', join(folder.path, 'other'))
    assert.equal(wrong.code, 1)
    assert.ok(wrong.stderr.includes(dir))
    const { code, stderr } = await run(dataDir, 'backup', '--forget', dir)
    assert.deepEqual([code, stderr], [0, ''])
    const server = await spawnServer({ dataDir, env })
    await eventually(() => objects().length === 1)
    await server.stop()
    const to = join(folder.path, 'refused')
    const refused = await run(to, 'restore', dir)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /of 2 contents, 1 are missing or have another size/)
    const { result } = await run(to, 'restore', dir, '--allow-missing', '--json')
    assert.equal(result.missing.length, 1)
  })

  it('is backed up with its contents when asked, but never linked', async () => {
    const { code, result } = await run(dataDir, 'backup', dir, '--json')
    assert.deepEqual([code, result.copied, result.database_only], [0, 1, false])
    assert.equal(filesIn(join(dir, 'contents')).length, 1)
    const linked = await run(dataDir, 'backup', dir, '--link')
    assert.match(linked.stderr, /can not be linked/)
    for (const other of ['--link', '--full', '--verify']) {
      const { code, stderr } = await run(dataDir, 'backup', '--database-only', dir, other)
      assert.equal(code, 2)
      assert.match(stderr, /Usage: tagstead backup/)
    }
  })
})

for (const name of ENGINES) {
  const skip = withoutEngine(name)
  it(`contents in ${name} come back from a backup, and what it has with the database alone`, {
    skip,
  }, async () => {
    const folder = await temporaryFolder()
    const engine = await openEngine(name)
    const of = (prefix: string) => ({ FFMPEG_PATH: '', ...settingsOf(engine, `/${prefix}`) })
    const dataDir = join(folder.path, 'data')
    const dir = join(folder.path, 'backups')
    try {
      const server = await spawnServer({ dataDir, env: of('one') })
      const { id, bytes } = await (await signIn(server)).upload('red.jpg', 'red')
      await server.stop()
      const made = await command(dataDir, ['backup', dir, '--json'], of('one'))
      assert.deepEqual([made.code, made.result.copied], [0, 1])
      const alone = await command(dataDir, ['backup', '--database-only', dir, '--json'], of('one'))
      assert.deepEqual([alone.code, alone.result.copied], [0, 0])
      for (const [prefix, { generation }] of [
        ['one', alone.result],
        ['two', made.result],
      ]) {
        const to = join(folder.path, prefix)
        const restored = await command(to, ['restore', dir, '--at', generation], of(prefix))
        assert.deepEqual([restored.code, restored.stderr], [0, ''])
        const again = await spawnServer({ dataDir: to, env: of(prefix) })
        assert.deepEqual(await (await signIn(again)).bytes(`/files/${id}/content`), bytes)
        await again.stop()
      }
      const none = join(folder.path, 'none')
      const refused = await command(none, ['restore', dir], of('empty'))
      assert.match(refused.stderr, /of 1 contents, 1 are missing or have another size/)
    } finally {
      await engine.close()
      await folder.remove()
    }
  })
}
