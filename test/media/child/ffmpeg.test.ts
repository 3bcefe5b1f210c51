import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { takeFrame } from '../../../src/media/child/frame.ts'
import { programTime, timed } from '../../../src/media/child/job-time.ts'
import { makeThumbnail } from '../../../src/media/child/picture.ts'
import { runProgram } from '../../../src/media/child/program.ts'
import { startDecoder } from '../../../src/media/decoder/decoder.ts'
import { findFfmpeg } from '../../../src/media/ffmpeg.ts'
import { failureOf } from '../../../src/media/outcome.ts'
import { eventually } from '../../support/eventually.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { madeFilm, madeOfFilm } from '../../support/media/film.ts'
import {
  corpus,
  distance,
  hashOf,
  temporaryFolder,
  without,
  withoutCorpus,
} from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'

const withoutFfmpeg = without('ffmpeg', '-version')
/** Milliseconds: how exactly Linux tells the time of a processor. */
const TICK = 10
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describe('frames of videos', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  const film = (name: string, shows: string, ...options: string[]) => {
    const codec = options.includes('-c:v') ? [] : ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
    return madeFilm(name, [...codec, ...options], shows)
  }
  const thumbnailOf = async (path: string, mime_type: string) => {
    const output = join(folder.path, 'thumbnail.jpg')
    const attempt = await makeThumbnail({ path, mime_type, ffmpeg: 'ffmpeg', output }, () => {})
    assert.ok('result' in attempt, 'failed' in attempt ? attempt.failed : '')
    const jpeg = await readFile(output)
    const { width, height } = await sharp(jpeg).metadata()
    const { dominant } = await sharp(jpeg).stats()
    return { phash: attempt.result.phash, size: [width, height], dominant }
  }
  const isColour = (dominant: { r: number; g: number; b: number }, colour: 'r' | 'g' | 'b') =>
    assert.deepEqual(
      Object.entries(dominant).filter(([, value]) => value > 128),
      [[colour, dominant[colour]]],
    )

  const part = (colour: string, seconds: number) => `color=${colour}:s=64x48:r=2:d=${seconds}`
  const joined = (parts: string[]) =>
    `${parts.map((shows, i) => `${shows}[${i}]`).join(';')};` +
    `${parts.map((_, i) => `[${i}]`).join('')}concat=n=${parts.length}`
  const scenes = (...parts: [string, number][]) =>
    joined(parts.map(([colour, seconds]) => part(colour, seconds)))

  it('are taken at a tenth, and no later than ten seconds', { skip: withoutFfmpeg }, async () => {
    const short = await film('short.mp4', scenes(['red', 1], ['lime', 2], ['blue', 17]))
    isColour((await thumbnailOf(short, 'video/mp4')).dominant, 'g')
    const long = await film('long.mkv', scenes(['red', 9], ['lime', 2], ['blue', 189]))
    isColour((await thumbnailOf(long, 'video/x-matroska')).dominant, 'g')
    // Nothing tells the length of this one, and it has no frame at the tenth of what is assumed.
    const still = await film(
      'still.mpg',
      part('red', 1).replace('r=2', 'r=25'),
      '-c:v',
      'mpeg2video',
    )
    isColour((await thumbnailOf(still, 'video/mpeg')).dominant, 'r')
  })

  it('show something where the first choice is nearly of one colour', {
    skip: withoutFfmpeg,
  }, async () => {
    const bars = (seconds: number) => `smptebars=s=64x48:r=2:d=${seconds}`
    const black = (seconds: number) => part('black', seconds)
    const dim = (seconds: number) =>
      `${part('0x000000', seconds)},drawbox=c=0x101010:x=8:y=8:w=30:h=30:t=fill`
    const films: [string, string[], boolean][] = [
      ['third', [black(0.5), bars(1.5), black(38)], true],
      ['quarter', [black(8), bars(4), black(28)], true],
      ['half', [black(18), bars(4), black(18)], true],
      ['dim', [dim(18), bars(4), dim(18)], true],
      ['tenth', [black(15), bars(10), black(175)], true],
      ['end', [black(30), bars(10)], false],
    ]
    for (const [name, parts, isShown] of films) {
      const path = await film(`${name}-shows.mp4`, joined(parts))
      const output = join(folder.path, 'shows.jpg')
      const job = { path, mime_type: 'video/mp4', ffmpeg: 'ffmpeg', output }
      assert.ok('result' in (await makeThumbnail(job, () => {})), name)
      const { channels } = await sharp(output).stats()
      const spread = Math.max(...channels.map(({ stdev }) => stdev))
      assert.equal(spread > 40, isShown, `${name}: ${spread}`)
    }
  })

  it('are as a player shows them', { skip: withoutFfmpeg }, async () => {
    const lying = await film('lying.mp4', 'color=blue:s=96x64:r=25:d=1')
    const turn = ['-c', 'copy', '-metadata:s:v:0', 'rotate=90']
    const turned = await madeOfFilm(lying, 'turned.mp4', turn)
    assert.deepEqual((await thumbnailOf(turned, 'video/mp4')).size, [64, 96])
    const wide = await film('wide.mp4', 'color=blue:s=96x64:r=25:d=1,setsar=2/1')
    assert.deepEqual((await thumbnailOf(wide, 'video/mp4')).size, [192, 64])
    const large = await film('large.mp4', 'color=blue:s=2560x1440:r=25:d=0.04')
    const { content } = await takeFrame('ffmpeg', large, 0)
    const { width, height } = await sharp(content).metadata()
    assert.deepEqual([width, height], [1920, 1080])
  })

  /** The film shows the picture that has the number, which ffmpeg takes in its own way. */
  const assertShows = async (path: string, mime_type: string, number: number, size: number[]) => {
    const reference = join(folder.path, 'reference.png')
    const choose = ['-vf', `select='eq(n,${number})'`, '-frames:v', '1', reference]
    execFileSync('ffmpeg', ['-y', '-loglevel', 'error', '-i', path, ...choose])
    const shown = await thumbnailOf(path, mime_type)
    assert.deepEqual(shown.size, size)
    assert.ok(distance(shown.phash, await hashOf(reference)) <= 2)
  }

  it('show what is at the tenth of a film of some length', { skip: withoutFfmpeg }, async () => {
    const path = await film('zoom.mp4', 'mandelbrot=s=320x180:r=10,trim=duration=4')
    await assertShows(path, 'video/mp4', 4, [320, 180])
  })

  it('show the sample film', { skip: withoutFfmpeg || withoutCorpus }, () =>
    assertShows(corpus('video', 'doorknob.mp4'), 'video/mp4', 13, [320, 180]),
  )

  it('are those of each type and codec that cameras write', { skip: withoutFfmpeg }, async () => {
    const scene = 'color=lime:s=176x144:r=25:d=0.6'
    const sound = ['-f', 'lavfi', '-i', 'sine=d=0.6', '-map', '0:v', '-map', '1:a']
    const films = {
      'h264.mp4': ['libx264', 'aac'],
      'h264.m4v': ['libx264', 'aac'],
      'h264.mts': ['libx264', 'ac3'],
      'h264.mkv': ['libx264', 'flac'],
      'hevc.mov': ['libx265', 'aac', '-tag:v', 'hvc1', '-x265-params', 'log-level=error'],
      'av1.mp4': ['libaom-av1', 'libopus', '-cpu-used', '8'],
      'vp8.webm': ['libvpx', 'libvorbis'],
      'vp9.webm': ['libvpx-vp9', 'libopus', '-cpu-used', '8'],
      'mpeg4.3gp': ['mpeg4', 'aac'],
      'h263.3gp': ['h263', 'aac'],
      'mpeg4.avi': ['mpeg4', 'libmp3lame'],
      'divx3.avi': ['msmpeg4', 'libmp3lame'],
      'jpeg.avi': ['mjpeg', 'pcm_s16le', '-pix_fmt', 'yuvj420p'],
      'mpeg1.mpg': ['mpeg1video', 'mp2'],
      'mpeg2.mpg': ['mpeg2video', 'mp2'],
      'prores.mov': ['prores', 'pcm_s16le', '-pix_fmt', 'yuv422p10le'],
    }
    for (const [name, [video, audio, ...others]] of Object.entries(films)) {
      const codecs = ['-pix_fmt', 'yuv420p', '-c:v', video!, '-c:a', audio!, ...others]
      const path = await film(name, scene, ...sound, ...codecs)
      const { content } = await takeFrame('ffmpeg', path, 0.5)
      const { dominant } = await sharp(content).stats()
      isColour(dominant, 'g')
    }
  })

  it('are none of codecs that no camera writes', { skip: withoutFfmpeg }, async () => {
    for (const codec of ['zmbv', 'flashsv', 'qtrle', 'gif']) {
      const path = await film(`${codec}.mkv`, 'color=lime:s=96x64:r=25:d=1', '-c:v', codec)
      await assert.rejects(takeFrame('ffmpeg', path, 0), /not on whitelist/)
    }
  })

  it('are not taken from what a file only names', { skip: withoutFfmpeg }, async () => {
    const real = await film('real.ts', 'color=blue:s=96x64:r=25:d=1', '-f', 'mpegts')
    const lists = {
      'list.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${real}\n#EXT-X-ENDLIST\n`,
      'list.txt': `ffconcat version 1.0\nfile '${real}'\n`,
    }
    for (const [name, text] of Object.entries(lists)) {
      const path = join(folder.path, name)
      await writeFile(path, text)
      await assert.rejects(takeFrame('ffmpeg', path, 0), /Invalid data|not in whitelist|whitelist/i)
    }
    await assert.rejects(takeFrame('ffmpeg', 'http://127.0.0.1:9/film.mp4', 0), /No such file/)
    await assert.rejects(takeFrame('ffmpeg', `concat:${real}`, 0), /No such file/)
  })

  it('have to wait for an ffmpeg', { skip: withoutFfmpeg }, async () => {
    const lines: string[] = []
    const info = (message: string) => void lines.push(message)
    const path = await film('waiting.mp4', 'color=blue:s=96x64:r=25:d=1')
    const job = { path, mime_type: 'video/mp4', thumbnailPath: join(folder.path, 'waiting.jpg') }
    const blind = startDecoder({
      log: { ...log, info },
      ffmpeg: await findFfmpeg(join(folder.path, 'missing')),
    })
    const seeing = startDecoder({ log, ffmpeg: await findFfmpeg('ffmpeg') })
    try {
      const { exif, state, phash, decoder_version } = await blind.derive(job)
      assert.deepEqual([exif.duration, state, phash], [1, 'failed', null])
      assert.deepEqual(lines, ['could not decode'])
      const found = await seeing.derive(job)
      assert.equal(found.state, 'made')
      assert.notEqual(found.decoder_version, decoder_version)
    } finally {
      await Promise.all([blind.close(), seeing.close()])
    }
  })

  it('tell whose fault it is that there is none', async () => {
    const ffmpeg = await fakeFfmpeg(folder.path)
    const path = join(folder.path, 'film.webm')
    await writeFile(path, WEBM)
    const attempt = async (program: string) => {
      const output = join(folder.path, 'whose.jpg')
      const job = { path, mime_type: 'video/webm', ffmpeg: program, output }
      return Object.keys(await makeThumbnail(job, () => {}))
    }
    const expected = {
      frame: 'result',
      nonsense: 'failed',
      'no process': 'refused',
      'no file': 'refused',
      'no room': 'refused',
      gone: 'refused',
      'no memory': 'starved',
      killed: 'exceeded',
    } as const
    for (const [answer, outcome] of Object.entries(expected)) {
      ffmpeg.answer(answer as keyof typeof expected)
      assert.deepEqual(await attempt(ffmpeg.path), [outcome], answer)
    }
    assert.deepEqual(await attempt(join(folder.path, 'no-such-ffmpeg')), ['refused'])
  })

  it('are taken by an ffmpeg that answers while the server is busy for longer, and to no input', async () => {
    const fake = join(folder.path, 'quick-ffmpeg')
    const answered = join(folder.path, 'answered')
    const text = `#!/bin/sh\ncat >/dev/null; echo "ffmpeg version 0-quick"; echo >'${answered}'\n`
    await writeFile(fake, text, { mode: 0o755 })
    // Its time is up long before anything else is done here.
    const finding = findFfmpeg(fake, 1)
    const clock = new Int32Array(new SharedArrayBuffer(4))
    for (let turn = 0; turn < 6000 && !existsSync(answered); turn++) Atomics.wait(clock, 0, 0, 10)
    assert.deepEqual(await finding, { path: fake, version: '0-quick' })
  })

  it('are taken by an ffmpeg that is told no secrets', async () => {
    const fake = join(folder.path, 'curious-ffmpeg')
    const text = '#!/bin/sh\necho "ffmpeg version 0-$AWS_SECRET_ACCESS_KEY"; echo\n'
    await writeFile(fake, text, { mode: 0o755 })
    process.env.AWS_SECRET_ACCESS_KEY = 'hush'
    try {
      assert.deepEqual(await findFfmpeg(fake), { path: fake, version: '0-' })
    } finally {
      delete process.env.AWS_SECRET_ACCESS_KEY
    }
  })

  it('have none that waits for what it has started, or can not be started', async () => {
    const program = async (name: string, content: string | Buffer) => {
      const path = join(folder.path, name)
      await writeFile(path, content, { mode: 0o755 })
      return path
    }
    const hangs = await program(
      'slow-ffmpeg',
      '#!/bin/sh\nsleep 600\necho "ffmpeg version 0-late"\n',
    )
    assert.equal(await findFfmpeg(hangs, 300), null)
    const text = '#!/bin/sh\nsleep 600 &\necho "ffmpeg version 0-busy"\n'
    const leaves = await program('leaving-ffmpeg', text)
    assert.deepEqual(await findFfmpeg(leaves), { path: leaves, version: '0-busy' })
    const foreign = Buffer.from('7f454c4602010100000000000000000002002a2a01000000', 'hex')
    const paths = [
      join(folder.path, 'no-such-ffmpeg'),
      join(leaves, 'ffmpeg'),
      'x'.repeat(5000),
      'a\0b',
      folder.path,
      await program('foreign-ffmpeg', foreign),
      await program('wordless-ffmpeg', 'no program'),
    ]
    for (const path of paths) assert.equal(await findFfmpeg(path), null, path.slice(-40))
  })

  it('are none when the program floods its reader, and others go on', async () => {
    const fake = join(folder.path, 'fake-ffmpeg')
    const answer = 'case "$1" in -version) echo "ffmpeg version 0-fake";; *) cat /dev/zero;; esac'
    await writeFile(fake, `#!/bin/sh\n${answer}\n`, { mode: 0o755 })
    const ffmpeg = await findFfmpeg(fake)
    assert.deepEqual(ffmpeg, { path: fake, version: '0-fake' })
    const picture = join(folder.path, 'picture.png')
    await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } }).toFile(
      picture,
    )
    const decoder = startDecoder({ log, ffmpeg })
    const derive = (mime_type: string, n: number) =>
      decoder.derive({ path: picture, mime_type, thumbnailPath: join(folder.path, `${n}.jpg`) })
    try {
      const types = ['video/mp4', 'image/png', 'video/webm', 'image/png']
      const results = await Promise.all(types.map(derive))
      assert.deepEqual(
        results.map(({ state }) => state),
        ['failed', 'made', 'failed', 'made'],
      )
    } finally {
      await decoder.close()
    }
  })
})

describe('a program of others', () => {
  it('is ended when it takes more than it may', async () => {
    const limits = { seconds: 60, output: 1000 }
    assert.equal(String(await runProgram('echo', ['$HOME "x"'], limits)), '$HOME "x"\n')
    await assert.rejects(runProgram('sleep', ['60'], { ...limits, seconds: 0.5 }), {
      message: 'sleep: took too long',
      code: 'ETIMEDOUT',
    })
    await assert.rejects(runProgram('cat', ['/dev/zero'], limits), /printed too much/)
    await assert.rejects(runProgram('sh', ['-c', 'echo why >&2; exit 3'], limits), /why/)
    await assert.rejects(runProgram('no-such-program', [], limits), /not found/)
    if (process.platform === 'linux') {
      const hungry = runProgram('sort', ['/dev/zero'], limits)
      await assert.rejects(hungry, /exhausted/)
      const code = 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))'
      const wasm = runProgram(process.execPath, ['-e', code], { ...limits, isWasm: true })
      await assert.rejects(wasm, (error) => 'starved' in failureOf(error))
    }
  })

  it('counts as much time as it takes, whether it ends or is killed', {
    skip: process.platform !== 'linux' && 'needs Linux',
  }, async () => {
    const folder = await temporaryFolder()
    const told = join(folder.path, 'told')
    /** Returns the milliseconds that are counted, and those that the shell tells of itself, as far as it comes. */
    const timeOf = async (script: string, seconds: number) => {
      const job = { bytes: 0, spent: 0, limit: undefined }
      await rm(told, { force: true })
      const counted = await timed(
        job,
        () => {},
        async () => {
          await runProgram('sh', ['-c', script], { seconds, output: 1000 }).catch(() => {})
          return programTime()
        },
      )
      const own = existsSync(told)
        ? /^(.*)m(.*)s (.*)m(.*)s$/m.exec(await readFile(told, 'utf8'))
        : null
      const [minutes, rest, more, moreRest] = (own ?? []).slice(1).map(Number)
      const itself = own === null ? 0 : 1000 * (60 * (minutes! + more!) + rest! + moreRest!)
      return { counted, itself }
    }
    const works = 'n=0; while [ $n -lt 300000 ]; do n=$((n + 1)); done'
    const tells = `times >'${told}.new'; mv '${told}.new' '${told}'`
    const burns = `while :; do ${works.replace('300000', '3000')}; ${tells}; done`
    const slept = await timeOf('sleep 0.2', 60)
    // At the limit of the processor's time, which is a whole second, and at that of the clock, which is less.
    for (const [script, seconds] of [
      [`${works}; ${tells}`, 60],
      [burns, 0.9],
      [burns, 0.2],
    ] as const) {
      const { counted, itself } = await eventually(async () => {
        const times = await timeOf(script, seconds)
        return times.itself > 0 && times
      })
      // Both are told in whole ticks.
      assert.ok(counted >= itself - 2 * TICK, `${counted} of ${itself}`)
      assert.ok(counted > slept.counted, `${counted}, and ${slept.counted} of one that sleeps`)
    }
    await folder.remove()
  })
})
