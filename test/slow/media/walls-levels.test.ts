import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import type { WallLevel } from '../../../src/base/enums.ts'
import { findFfmpeg } from '../../../src/media/ffmpeg.ts'
import { cameraFiles } from '../../support/media/camera-files.ts'
import { WEBM } from '../../support/media/fake-ffmpeg.ts'
import { madeFilm } from '../../support/media/film.ts'
import { withoutEncoder } from '../../support/media/media.ts'
import { smallHeic } from '../../support/media/samples.ts'
import { ffmpegOf, walledDecoder, withoutWalls } from '../../support/media/walls.ts'
import { after, before, describe, it } from '../../support/test.ts'

/** What a program of the decoder tries. The last line is what the decoder tells of it. */
const burglar = (secret: string, port: number) => `
id=\${film##*/}
can() { [ $? = 0 ] && result="$result $1"; }
cat '${secret}' >/dev/null 2>&1; can 'read the secret'
{ echo more >>"$film"; } 2>/dev/null; can 'write to its input'
{ chmod 666 "$film"; } 2>/dev/null; can 'open its input to others'
{ rm -f "$film"; } 2>/dev/null; can 'remove its input'
{ : >in/new; } 2>/dev/null; can 'lend itself something'
{ : >"\${HOME:-/root}/.left"; } 2>/dev/null; can 'write elsewhere'
{ touch -d 2001-01-01 "$film"; } 2>/dev/null; can 'change the time of its input'
{ tr '\\0' ' ' </proc/${process.pid}/environ >/dev/null; } 2>/dev/null; can 'read the environment of the server'
{ kill -0 ${process.pid}; } 2>/dev/null; can 'signal the server'
[ -d /proc/${process.pid}/task/${process.pid} ] && [ "$(tr -d '\\0' </proc/${process.pid}/cmdline | wc -c)" -gt 0 ]; can 'see the server'
{ exec 3<>/dev/tcp/127.0.0.1/${port}; } 2>/dev/null; can 'call the server'
[ -n "$JWT_SECRET" ]; can 'read the environment'
echo "can:$result" >&2
exit 1`

const CAN: Record<Exclude<WallLevel, 'environment'>, string> = {
  namespaces: '',
  landlock: ' see the server',
  user: ' see the server call the server',
}

for (const level of ['namespaces', 'landlock', 'user'] as const) {
  describe(`a decoder behind ${level}`, { skip: withoutWalls(level) }, () => {
    let folder: string
    const server = createServer((socket) => socket.destroy())
    let port: number
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tagstead-burglar-'))
      chmodSync(folder, 0o755)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
      process.env.JWT_SECRET = 'not for the decoder'
    })
    after(async () => {
      delete process.env.JWT_SECRET
      server.close()
      await rm(folder, { recursive: true })
    })

    it('makes of all contents what one without walls makes, and leaves them as they are', {
      skip: withoutEncoder('libx265'),
    }, async () => {
      const samples: [string, string][] = [
        [(await cameraFiles())[0]!.path, 'image/jpeg'],
        [(await smallHeic(8)).path, 'image/heic'],
        [await madeFilm('film.mp4', ['-c:v', 'mpeg4']), 'video/mp4'],
        [await madeFilm('film.mpg', ['-c:v', 'mpeg2video']), 'video/mpeg'],
      ]
      const made: unknown[] = []
      for (const walls of [level, 'environment'] as const) {
        const walled = await walledDecoder(walls, { ffmpeg: await findFfmpeg('ffmpeg') })
        const results: unknown[] = []
        const written: string[] = []
        for (const [name, mime_type] of samples) {
          const bytes = await readFile(name)
          const path = await walled.add(bytes)
          const derivatives = await walled.derive(path, mime_type)
          assert.equal(derivatives.state, 'made', name)
          const thumbnail = await readFile(`${path}.jpg`)
          const input = { path, mime_type, thumbnail: `${path}.jpg` }
          const looks = await walled.decoder.look(input)
          const shown = await walled.decoder.lookAtThumbnail({ path: `${path}.jpg` })
          results.push({ derivatives, looks, shown, thumbnail })
          assert.deepEqual(await readFile(path), bytes)
          written.push(path, `${path}.jpg`)
        }
        made.push(results)
        assert.deepEqual(
          walled.said.filter(({ level }) => /warn|error/.test(level)),
          [],
        )
        await walled.decoder.close()
        assert.deepEqual(readdirSync(walled.temporary), [])
        for (const path of written) {
          const { uid, nlink, mode } = statSync(path)
          assert.deepEqual([uid, nlink, mode & 0o022], [process.getuid!(), 1, 0], path)
        }
        await walled.end()
      }
      assert.deepEqual(made[0], made[1])
    })

    it('can do nothing but read what it is lent', async () => {
      const ffmpeg = await ffmpegOf(folder, 'exit 1')
      const robbed = await walledDecoder(level, { ffmpeg })
      await ffmpegOf(folder, burglar(robbed.secret, port))
      robbed.decoder.begin({ host: '127.0.0.1', port })
      assert.deepEqual(robbed.decoder.walls(), { level: null, reason: null })
      assert.deepEqual(await robbed.told('the walls of the decoder'), { walls: level })
      assert.deepEqual(robbed.decoder.walls(), { level, reason: null })
      const path = await robbed.add(WEBM)
      assert.equal((await robbed.derive(path, 'video/webm')).state, 'failed')
      const { reason } = await robbed.told('could not decode')
      assert.equal(String(reason).replace(/^.*can:/s, ''), CAN[level])
      assert.deepEqual(readFileSync(path), WEBM)
      assert.equal(statSync(path).mode & 0o077 & ~0o040, 0)
      assert.equal(readFileSync(robbed.secret, 'utf8'), 'a secret')
      await robbed.end()
    })

    it('gives nothing that is no file of its own', async () => {
      const odd = {
        'ln -s /etc/passwd': null,
        'ln -s "../$film"': null,
        // What the decoder writes goes to what is there by the name that it is given.
        ': >out/other; ln -s other': 'failed',
        ': >out/other; ln out/other': 'failed',
      }
      for (const [make, expected] of Object.entries(odd)) {
        const script = `${make} out/\${film##*/}; frame`
        const walled = await walledDecoder(level, { ffmpeg: await ffmpegOf(folder, script) })
        const path = await walled.add(WEBM)
        const deriving = walled.derive(path, 'video/webm')
        if (expected === null) await assert.rejects(deriving, { code: /^E/ }, make)
        else assert.equal((await deriving).state, expected, make)
        assert.deepEqual(readdirSync(join(path, '..')), [basename(path)], make)
        assert.deepEqual(readFileSync(path), WEBM, make)
        await walled.decoder.close()
        assert.deepEqual(readdirSync(walled.temporary), [], make)
        await walled.end()
      }
    })

    it('is not taken where a secret opens all the same, and says so in one line', async () => {
      const open = await walledDecoder(level, { secrets: ['/usr/bin/env'] })
      open.decoder.begin({ host: '127.0.0.1', port })
      const told = await open.told('the walls of the decoder')
      const reasons = {
        ...(level === 'namespaces' && { namespaces: 'open: env' }),
        ...(level !== 'user' && {
          landlock: withoutWalls('landlock') ? told.landlock : 'open: env',
        }),
        user: process.getuid!() === 0 ? 'open: env' : 'the server is not root',
      }
      assert.deepEqual(told, { walls: 'environment', ...reasons })
      const reason = Object.entries(reasons).map(([of, why]) => `${of}: ${why}`)
      assert.deepEqual(open.decoder.walls(), { level: 'environment', reason: reason.join('; ') })
      assert.deepEqual(
        open.said.filter((said) => /warn|error/.test(said.level)),
        [],
      )
      const path = await open.add(await picture())
      assert.equal((await open.derive(path, 'image/png')).state, 'made')
      await open.end()
    })
  })
}

const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#467' } })
    .png()
    .toBuffer()
