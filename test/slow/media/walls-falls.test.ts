import assert from 'node:assert/strict'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import sharp from 'sharp'
import { eventually } from '../../support/eventually.ts'
import { WEBM } from '../../support/media/fake-ffmpeg.ts'
import { ffmpegOf, walledDecoder, withoutWalls } from '../../support/media/walls.ts'
import { after, afterEach, before, describe, it } from '../../support/test.ts'

const isRoot = process.getuid?.() === 0
const hasLandlock = !withoutWalls('landlock')
/** What is there when namespaces aren't. */
const next = hasLandlock ? 'landlock' : withoutWalls('user') ? 'environment' : 'user'

describe('walls that do not hold', { skip: process.platform !== 'linux' && 'needs Linux' }, () => {
  let folder: string
  let picture: Uint8Array
  const path = process.env.PATH
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-falls-'))
    chmodSync(folder, 0o755)
    const create = { width: 60, height: 40, channels: 3, background: '#467' } as const
    picture = await sharp({ create }).png().toBuffer()
  })
  afterEach(() => {
    process.env.PATH = path
  })
  after(() => rm(folder, { recursive: true }))

  /** Has a program of the decoder's replaced by a script, from now on. */
  const replace = async (program: string, script: string) => {
    const file = join(folder, program)
    await writeFile(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
    process.env.PATH = `${folder}${delimiter}${path}`
    return () => rmSync(file)
  }
  const isMade = async (walled: Awaited<ReturnType<typeof walledDecoder>>) => {
    const content = await walled.add(picture)
    const { state, phash } = await walled.derive(content, 'image/png')
    assert.equal(state, 'made')
    assert.match(String(phash), /^-?\d+$/)
  }
  const warnings = (walled: Awaited<ReturnType<typeof walledDecoder>>) =>
    walled.said.filter(({ level }) => /warn|error/.test(level)).map(({ message }) => message)

  it('are passed over where the system forbids them, and told in one line', async () => {
    const complaint = 'bwrap: No permissions to create new namespace'
    const restore = await replace('bwrap', `echo "${complaint}" >&2; exit 1`)
    const walled = await walledDecoder('namespaces')
    walled.decoder.begin({ host: '127.0.0.1', port: 9 })
    const told = await walled.told('the walls of the decoder')
    assert.deepEqual([told.walls, told.namespaces], [next, complaint])
    await isMade(walled)
    assert.deepEqual(warnings(walled), [])
    await walled.end()
    restore()
  })

  it('are passed over where nobody can become another user, who then has left nothing to kill', {
    skip: withoutWalls('user'),
  }, async () => {
    const restore = await replace('setpriv', 'echo "setpriv: setresuid failed" >&2; exit 127')
    const walled = await walledDecoder('user')
    await isMade(walled)
    walled.decoder.begin({ host: '127.0.0.1', port: 9 })
    const { walls, user } = await walled.told('the walls of the decoder')
    assert.deepEqual([walls, user], ['environment', 'setpriv: setresuid failed'])
    await walled.end()
    assert.deepEqual(warnings(walled), [])
    restore()
  })

  it('are passed over where they hang, for no job', async () => {
    const restore = await replace('bwrap', 'sleep 1000; exit 1')
    const walled = await walledDecoder('namespaces', { startLimit: 300 })
    await isMade(walled)
    walled.decoder.begin({ host: '127.0.0.1', port: 9 })
    const { walls, namespaces } = await walled.told('the walls of the decoder')
    assert.equal(namespaces, 'hangs')
    // On a busy machine, the limit may be too short for the next level, too.
    assert.notEqual(walls, 'namespaces')
    assert.deepEqual(warnings(walled), [])
    await walled.end()
    restore()
  })

  it('are passed over when ffmpeg does not run behind them', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    const hidden = await mkdtemp(join(tmpdir(), 'tagstead-hidden-'))
    await writeFile(join(hidden, 'version'), 'ffmpeg version 0-fake')
    const ffmpeg = { path: join(hidden, 'ffmpeg'), version: '0-fake' }
    await writeFile(ffmpeg.path, `#!/bin/sh\ncat '${hidden}/version'\n`, { mode: 0o755 })
    const walled = await walledDecoder('namespaces', { ffmpeg })
    walled.decoder.begin({ host: '127.0.0.1', port: 9 })
    const told = await walled.told('the walls of the decoder')
    const { walls, namespaces, landlock, user } = told
    assert.deepEqual([walls, namespaces], ['environment', 'open: no ffmpeg'])
    if (hasLandlock) assert.equal(landlock, 'open: no ffmpeg')
    assert.equal(user, isRoot ? 'open: no ffmpeg' : 'the server is not root')
    await walled.end()
    await rm(hidden, { recursive: true })
  })

  it('cost no job when they are gone later, and stay gone', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    const walled = await walledDecoder('namespaces')
    walled.decoder.begin({ host: '127.0.0.1', port: 9 })
    await walled.told('the walls of the decoder')
    await isMade(walled)
    const restore = await replace('bwrap', 'echo "bwrap: no more" >&2; exit 1')
    process.kill(Number((await walled.told('decoder ready')).pid), 'SIGKILL')
    await walled.told('decoder died')
    await Promise.all([isMade(walled), isMade(walled)])
    restore()
    process.kill(Number((await walled.told('decoder ready')).pid), 'SIGKILL')
    await walled.told('decoder died', 2)
    await isMade(walled)
    assert.deepEqual(warnings(walled), [
      'decoder died',
      'the decoder has lost a wall',
      'decoder died',
    ])
    const lost = await walled.told('the decoder has lost a wall')
    assert.deepEqual(lost, { from: 'namespaces', to: next, reason: 'bwrap: no more' })
    const told = await walled.told('the walls of the decoder', 2)
    assert.deepEqual([told.walls, told.namespaces], [next, 'bwrap: no more'])
    await walled.end()
  })

  for (const level of ['namespaces', 'landlock', 'user'] as const) {
    it(`cost no job when the folder of a decoder behind ${level} is swept away`, {
      skip: withoutWalls(level),
    }, async () => {
      const waits = ': >out/started; while [ -e in/own ]; do :; done; exit 1'
      const ffmpeg = await ffmpegOf(folder, waits)
      const walled = await walledDecoder(level, { ffmpeg })
      await isMade(walled)
      for (const room of walled.roomPaths()) rmSync(room, { recursive: true })
      await isMade(walled)
      const film = await walled.add(WEBM)
      const deriving = walled.derive(film, 'video/webm')
      await eventually(() =>
        walled.roomPaths().some((room) => existsSync(join(room, 'out/started'))),
      )
      await ffmpegOf(folder, 'frame')
      for (const room of walled.roomPaths()) rmSync(room, { recursive: true })
      assert.equal((await deriving).state, 'made')
      const gone = 'the folder of the decoder is gone, and made again'
      assert.deepEqual(warnings(walled), [gone, gone])
      await walled.end()
    })
  }

  it('are given up when their folder can not be made, for no job', {
    skip: withoutWalls('namespaces'),
  }, async () => {
    const walled = await walledDecoder('namespaces')
    await writeFile(walled.rooms, 'no folder')
    await isMade(walled)
    walled.decoder.begin({ host: '127.0.0.1', port: 9 })
    const told = await walled.told('the walls of the decoder')
    assert.equal(told.walls, 'environment')
    assert.match(String(told.namespaces), /EEXIST|ENOTDIR/)
    await walled.end()
  })

  it('are none for a file that changes while it is decoded, which is told', async () => {
    const film = join(folder, 'film.webm')
    await writeFile(film, WEBM)
    const ffmpeg = await ffmpegOf(folder, 'echo more >>"$film"; frame')
    const walled = await walledDecoder('environment', { ffmpeg })
    assert.equal((await walled.derive(film, 'video/webm')).state, 'made')
    const told = await walled.told('a file has changed while it was decoded')
    assert.deepEqual(told, { blob: 'film.webm', changed: ['size', 'mtimeMs', 'ctimeMs'] })
    await isMade(walled)
    assert.deepEqual(warnings(walled), ['a file has changed while it was decoded'])
    await walled.end()
  })
})
