import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { WALLS } from '../../../src/base/enums.ts'
import { eventually } from '../../support/eventually.ts'
import { form } from '../../support/harness.ts'
import { WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { ffmpegOf, withoutWalls } from '../../support/media/walls.ts'
import { descendantsOf } from '../../support/processes.ts'
import { spawnServer } from '../../support/spawn.ts'
import { describe, it } from '../../support/test.ts'
import { signIn } from '../../torture/upload.ts'

describe('a server that is killed', { skip: process.platform !== 'linux' && 'needs Linux' }, () => {
  const read = (pid: number, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  /** Nobody may be there to bury an orphan: a zombie is gone too. */
  const isAlive = (pid: number) => /\) [^Z]/.test(read(pid, 'stat'))

  const pids = () => readdirSync('/proc').map(Number).filter(Number.isInteger)

  for (const level of WALLS) {
    it(`leaves neither a deaf decoder behind ${level} nor the programs that this has started`, {
      skip: withoutWalls(level),
    }, async () => {
      const folder = await temporaryFolder()
      // Another user passes here.
      await chmod(folder.path, 0o755)
      // Nothing finds what has a session of its own there.
      const mark = `${level} ${process.pid}`
      const stray =
        level === 'environment' || level === 'landlock'
          ? ''
          : `setsid sh -c 'while :; do :; done; : ${mark}' &`
      const { path: ffmpeg } = await ffmpegOf(folder.path, `${stray} while :; do :; done`)
      const dataDir = join(folder.path, 'data')
      const env = { FFMPEG_PATH: ffmpeg, DECODER_WALLS: level }
      const server = await spawnServer({ dataDir, env })
      try {
        const token = await signIn(server)
        const upload = fetch(`${server.url}/api/v1/files`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
          body: form(WEBM, 'film.webm'),
        })
        const refused = assert.rejects(upload)
        let all: number[] = []
        const running = (name: string) => {
          all = descendantsOf(server.process.pid!)
          return all.find((pid) => read(pid, 'cmdline').startsWith(name))
        }
        await eventually(() => running(`/bin/bash\0${ffmpeg}\0-nostdin`) !== undefined)
        assert.match(server.output(), new RegExp(`"walls":"${level}"`))
        const isStrayThere = () =>
          pids().some((pid) => isAlive(pid) && read(pid, 'cmdline').includes(mark))
        if (stray !== '') await eventually(isStrayThere)
        const decoder = all.filter((pid) => read(pid, 'cmdline').includes('child/main'))
        for (const pid of decoder) process.kill(pid, 'SIGSTOP')
        await server.stop('SIGKILL')
        await refused
        await eventually(() => !all.some(isAlive))
        await eventually(() => !isStrayThere())
      } finally {
        await folder.remove()
      }
    })
  }
})
