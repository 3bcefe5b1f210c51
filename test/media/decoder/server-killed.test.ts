import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { form } from '../../support/harness.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { descendantsOf } from '../../support/processes.ts'
import { eventually } from '../../support/small-server.ts'
import { spawnServer } from '../../support/spawn.ts'
import { signIn } from '../../torture/upload.ts'

describe('a server that is killed', { skip: process.platform !== 'linux' }, () => {
  const read = (pid: number, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  /** Nobody may be there to bury an orphan: a zombie is gone too. */
  const isAlive = (pid: number) => /\) [^Z]/.test(read(pid, 'stat'))

  it('leaves neither a decoder that hears nothing nor the programs that this has started', async () => {
    const folder = await temporaryFolder()
    const ffmpeg = await fakeFfmpeg(folder.path)
    const dataDir = join(folder.path, 'data')
    const server = await spawnServer({ dataDir, env: { FFMPEG_PATH: ffmpeg.path } })
    try {
      const token = await signIn(server)
      ffmpeg.answer('burns')
      const upload = fetch(`${server.url}/api/v1/files`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: form(WEBM, 'film.webm'),
      })
      const refused = assert.rejects(upload)
      await ffmpeg.waiting()
      let all: number[] = []
      const running = (name: string) => {
        all = descendantsOf(server.process.pid!)
        return all.find((pid) => read(pid, 'cmdline').includes(name))
      }
      const [decoder, program] = [running('child/main')!, running(ffmpeg.path)!]
      process.kill(decoder, 'SIGSTOP')
      assert.deepEqual([decoder, program].map(isAlive), [true, true])
      await server.stop('SIGKILL')
      await refused
      await eventually(() => !all.some(isAlive))
    } finally {
      await folder.remove()
    }
  })
})
