import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, sha256, signIn } from '../../support/backups.ts'
import { eventually } from '../../support/eventually.ts'
import { without } from '../../support/media/media.ts'
import { spawnServer } from '../../support/spawn.ts'
import { describe, it } from '../../support/test.ts'

const withoutLitestream = without('litestream', 'version')
const UPLOADS = 40

describe('a database that Litestream copies on', { skip: withoutLitestream }, () => {
  it('is restored with its contents, with backups and checks made meanwhile', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tagstead-litestream-'))
    const server = await spawnServer({ dataDir: join(folder, 'data') })
    const { dataDir } = server
    const replica = `file://${join(folder, 'replica')}`
    const litestream = spawn(
      'litestream',
      ['replicate', join(dataDir, 'tagstead.sqlite'), replica],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const said: Buffer[] = []
    for (const stream of [litestream.stdout, litestream.stderr]) {
      stream.on('data', (chunk: Buffer) => said.push(chunk))
    }
    try {
      await eventually(() => /replicating to/.test(String(Buffer.concat(said))))
      const admin = await signIn(server)
      const beside = [
        command(dataDir, ['backup', join(folder, 'backups'), '--json']),
        command(dataDir, ['check', '--quick']),
      ]
      const uploaded: { id: string; bytes: Uint8Array }[] = []
      for (let n = 0; n < UPLOADS; n++) {
        uploaded.push(await admin.upload(`${n}.jpg`, `rgb(${n}, ${255 - n}, ${(n * 7) % 256})`))
      }
      for (const { code, stderr } of await Promise.all(beside))
        assert.deepEqual([code, stderr], [0, ''])
      await server.stop('SIGKILL')
      const ended = once(litestream, 'close')
      // It copies what is left before it ends.
      litestream.kill('SIGTERM')
      await ended
      const database = join(folder, 'restored.sqlite')
      execFileSync('litestream', ['restore', '-o', database, replica], { stdio: 'ignore' })
      cpSync(join(dataDir, 'files'), join(folder, 'contents'), { recursive: true })
      const to = join(folder, 'to')
      const parts = ['--database', database, '--contents', join(folder, 'contents')]
      const { code, result, stderr } = await command(to, ['restore', ...parts, '--json'])
      assert.deepEqual([code, stderr, result.contents], [0, '', UPLOADS])
      const again = await spawnServer({ dataDir: to })
      const restored = await signIn({ ...again, adminPassword: server.adminPassword })
      for (const { id, bytes } of uploaded) {
        assert.equal(sha256(await restored.bytes(`/files/${id}/content`)), sha256(bytes))
      }
      await again.stop()
    } finally {
      litestream.kill('SIGKILL')
      server.process.kill('SIGKILL')
      await rm(folder, { recursive: true })
    }
  })
})
