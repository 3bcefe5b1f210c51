import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { onLine } from '../../src/base/child-process.ts'
import type { Log } from '../../src/base/log.ts'
import { PLACEHOLDER_PATH } from '../../src/base/paths.ts'
import { type Decoder, startDecoder } from '../../src/media/decoder/decoder.ts'
import { sniff } from '../../src/media/sniff.ts'
import { eventually } from '../support/eventually.ts'
import { brokenFiles, cameraFiles } from '../support/media/camera-files.ts'
import { WEBM } from '../support/media/fake-ffmpeg.ts'
import { corpusFiles, temporaryFolder, without, withoutCorpus } from '../support/media/media.ts'
import { photograph } from '../support/media/samples.ts'
import { writeTiff } from '../support/media/tiff.ts'
import { after, before, describe, it } from '../support/test.ts'

/** A log that tells of each child that is ready, while its first jobs are being sent to it. */
function logOf(heard: {
  onReady?: (pid: number, child: string) => void
  onDeath?: (how: string, child: string) => void
  onGo?: (child: string) => void
}): Log {
  return {
    debug: (message, fields) => {
      const child = String(fields?.child)
      if (message === 'decoder ready') heard.onReady?.(Number(fields?.pid), child)
      if (message === 'decoder goes') heard.onGo?.(child)
    },
    info: () => {},
    warn: (message, fields) =>
      message === 'decoder died' && heard.onDeath?.(String(fields?.how), String(fields?.child)),
    error: () => {},
  }
}

describe('decoder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let picture: string
  let names = 0
  /** For most of the tests, since each start of a child costs up to a second. */
  let decoder: Decoder
  /** Those of its children that are for the healthy, and how all of them ended. */
  const children: number[] = []
  const deaths: string[] = []
  /** The children that live, by what they are for. */
  const living = new Map<string, number>()
  /** The signals that its next children get as soon as they are ready, by what they are for. */
  let next: { healthy?: NodeJS.Signals; suspects?: NodeJS.Signals } = {}
  let hasDied: (() => void) | undefined
  const others: Decoder[] = []
  before(async () => {
    folder = await temporaryFolder()
    picture = join(folder.path, 'picture.png')
    await sharp({
      create: { width: 1600, height: 1200, channels: 3, background: '#777', noise: NOISE },
    })
      .withExif({ IFD0: { Make: 'Maker' }, IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' } })
      .png({ compressionLevel: 1 })
      .toFile(picture)
    const onReady = (pid: number, child: string) => {
      if (child === 'healthy') children.push(pid)
      living.set(child, pid)
      const { [child as 'healthy']: signal, ...others } = next
      if (signal) process.kill(pid, signal)
      next = others
    }
    const onDeath = (how: string, child: string) => {
      deaths.push(how)
      living.delete(child)
      hasDied?.()
    }
    const onGo = (child: string) => living.delete(child)
    const log = logOf({ onReady, onDeath, onGo })
    decoder = startDecoder({ log, silenceLimit: 4000, places: { ofOne: 2, ofAll: 3 } })
  })
  after(async () => {
    for (const each of [decoder, ...others]) await each.close()
    await folder.remove()
  })

  const nextDeath = () =>
    new Promise<void>((resolve) => {
      hasDied = resolve
    })
  /** Has the next children get the signals when jobs are in flight, before they read one. */
  const endChildren = async <Jobs>(
    signals: typeof next,
    start: () => Jobs,
  ): Promise<Awaited<Jobs>> => {
    // One that runs might answer while the signal is on its way: the jobs begin with new children.
    // An idle child keeps no process alive.
    const awake = setInterval(() => {}, 1000)
    for (const pid of living.values()) {
      const died = nextDeath()
      process.kill(pid, 'SIGKILL')
      await died
    }
    clearInterval(awake)
    next = signals
    return await start()
  }
  /** Derives the picture into a folder of its own; called in turn, the jobs stand in that order. */
  const derive = async (path = picture, mime_type = 'image/png', by = 1) => {
    const made = join(folder.path, `made-${names++}`)
    mkdirSync(made)
    const thumbnailPath = join(made, 'thumbnail.jpg')
    const input = { path, mime_type, thumbnailPath, by, isUpload: true }
    const derivatives = await decoder.derive(input)
    return { ...derivatives, files: await readdir(made), thumbnailPath }
  }
  const preview = async (path = picture, mime_type = 'image/png') => {
    const previewPath = join(folder.path, `preview-${names++}.jpg`)
    const state = await decoder.picture('preview', { path, mime_type, to: previewPath, by: 1 })
    assert.equal(existsSync(previewPath), state === 'made')
    return { state, previewPath }
  }
  const isMade = (result: Awaited<ReturnType<typeof derive>>) => {
    assert.equal(result.state, 'made')
    assert.match(String(result.phash), /^-?\d+$/)
    assert.deepEqual(result.files, ['thumbnail.jpg'])
    assert.equal(result.exif.Make, 'Maker')
    assert.deepEqual(result.dates.date, {
      content_datetime: Date.UTC(2024, 4, 6, 7, 8, 9),
      content_offset: 0,
      date_source: 'exif',
      date_precision: null,
    })
  }

  /** Has a process open no more files, or as many as usual again. */
  const limitFiles = (pid: number | undefined, soft: number) =>
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${soft}:`])

  it('derives hash, EXIF and thumbnail, and makes a preview', async () => {
    const result = await derive()
    isMade(result)
    assert.equal(result.decoder_version, decoder.version)
    const { format, width, height } = await sharp(await readFile(result.thumbnailPath)).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 320, 240])
    const { state, previewPath } = await preview()
    assert.equal(state, 'made')
    assert.equal((await sharp(await readFile(previewPath)).metadata()).width, 1600)
  })

  it('says of a bad picture that it failed, and leaves nothing', async () => {
    const bad = join(folder.path, 'bad.jpg')
    await writeFile(bad, '\xff\xd8\xff and nothing more')
    const result = await derive(bad, 'image/jpeg')
    assert.deepEqual(
      [result.state, result.phash, result.exif, result.dates.date, result.files],
      ['failed', null, {}, null, []],
    )
    const none = { width: null, height: null, duration: null, thumbhash: null }
    assert.deepEqual(result.looks, { ...none, is_animated: false })
    assert.equal((await preview(bad, 'image/jpeg')).state, 'failed')
  })

  it('throws what is not the fault of the picture', async () => {
    const thumbnailPath = join(folder.path, 'missing', 'thumbnail.jpg')
    const job = { path: picture, mime_type: 'image/png', thumbnailPath }
    await assert.rejects(decoder.derive(job), { code: 'ENOENT' })
    await assert.rejects(derive(join(folder.path, 'missing.png')), { code: 'ENOENT' })
  })

  it('derives pictures of every kind, the torn ones too', async () => {
    const failed: string[] = []
    const one = async (path: string) => {
      const mime_type = (await sniff(path))!.mime_type
      const result = await derive(path, mime_type)
      if (result.state === 'failed') failed.push(basename(path))
      assert.deepEqual(result.files, result.state === 'made' ? ['thumbnail.jpg'] : [])
    }
    const film = join(folder.path, 'film.webm')
    await writeFile(film, WEBM)
    const scan = join(folder.path, 'picture.tiff')
    await sharp(await photograph(1, 300, 200))
      .tiff({ compression: 'lzw' })
      .toFile(scan)
    const made = (await cameraFiles()).map(({ path }) => path)
    const { cut, torn } = await brokenFiles()
    await Promise.all([...made, cut, torn, scan, film, ...corpusFiles()].map(one))
    // The scans have no pixels. The films fail only for want of ffmpeg.
    const expected = ['film.webm', 'scan.tiff', 'scan.tiff']
    if (!withoutCorpus) expected.push('corrupted.jpg', 'doorknob.mp4')
    const names = failed.map((name) => name.replace(/^[0-9a-f]{16}-/, ''))
    assert.deepEqual(names.sort(), expected.sort())
  })

  for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
    it(`loses nothing when the child gets ${signal} in the middle of its work`, async () => {
      await preview()
      const before = children.length
      const jobs = await endChildren({ healthy: signal }, () => [1, 2, 3, 4, 5].map(() => derive()))
      for (const result of await Promise.all(jobs)) isMade(result)
      assert.equal(children.length, before + 2)
    })
  }

  it('lets no upload wait for many previews', async () => {
    const ends: string[] = []
    const previews = Array.from({ length: 20 }, () => preview().then(() => ends.push('preview')))
    const upload = derive().then(() => ends.push('upload'))
    await Promise.all([...previews, upload])
    // Those that were in flight go before, and some while the upload goes from job to job on a busy machine.
    assert.notEqual(ends.at(-1), 'upload', ends.join())
  })

  it('lets nobody wait for the many large pictures of another', async () => {
    const large = join(folder.path, 'large.png')
    await sharp({
      create: { width: 2400, height: 1800, channels: 3, background: '#777', noise: NOISE },
    })
      .png({ compressionLevel: 1 })
      .toFile(large)
    const little = await photograph(1, 300, 200)
    const ends: string[] = []
    const many = Array.from({ length: 6 }, () =>
      derive(large, 'image/png', 1).then(() => ends.push('large')),
    )
    const small = derive(little, 'image/jpeg', 2).then(() => ends.push('small'))
    await Promise.all([...many, small])
    // Two of the other's have their places.
    assert.ok(ends.indexOf('small') < 3, ends.join())
  })

  it('lets no preview wait for all uploads', async () => {
    const ends: string[] = []
    const uploads = Array.from({ length: 24 }, () => derive().then(() => ends.push('upload')))
    await Promise.all([...uploads, preview().then(() => ends.push('preview'))])
    // Without its turn, it would begin once none of them waits, when the last few are in flight.
    assert.ok(ends.indexOf('preview') < 18, ends.join())
  })

  it('goes on when a terminal or a service manager ends the whole group of processes', async () => {
    await preview()
    const before = deaths.length
    const job = derive()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(children.at(-1)!, signal)
    isMade(await job)
    assert.deepEqual(deaths.slice(before), [])
  })

  it('gives up on a job that ends the child twice, and on no other', async () => {
    await preview()
    const before = children.length
    // In flight are the EXIF jobs of the first two, then that of the first one alone.
    const signals = { healthy: 'SIGSEGV', suspects: 'SIGSEGV' } as const
    const jobs = await endChildren(signals, () => [1, 2, 3].map(() => derive()))
    const [first, second, third] = await Promise.all(jobs)
    assert.deepEqual([first!.exif, first!.dates.date, first!.state], [{}, null, 'made'])
    isMade(second!)
    isMade(third!)
    assert.equal(children.length, before + 2)
  })

  it('stops nobody for a suspect or a second try', async () => {
    await preview()
    const signals = { healthy: 'SIGSEGV', suspects: 'SIGSTOP' } as const
    const [suspect] = await endChildren(signals, () => [preview()])
    await nextDeath()
    const retry = { path: picture, mime_type: 'image/png', to: join(folder.path, 'retry.jpg') }
    const ends: string[] = []
    const held = [
      suspect!.then(() => ends.push('suspect')),
      decoder.picture('preview', { ...retry, isSecondTry: true }).then(() => ends.push('retry')),
    ]
    for (const result of await Promise.all([1, 2, 3].map(() => derive()))) isMade(result)
    assert.deepEqual(ends, [])
    process.kill(await eventually(() => living.get('suspects')), 'SIGKILL')
    await Promise.all(held)
    assert.deepEqual(ends, ['suspect', 'retry'])
    assert.equal((await suspect!).state, 'pending')
  })

  it('holds a crash against the picture, but not a kill', async () => {
    for (const [signal, state] of [
      ['SIGSEGV', 'failed'],
      ['SIGKILL', 'pending'],
    ] as const) {
      assert.equal((await preview()).state, 'made')
      assert.equal(
        (await endChildren({ healthy: signal, suspects: signal }, () => preview())).state,
        state,
      )
    }
    assert.equal((await preview()).state, 'made')
  })

  it('holds no want of open files against the picture', {
    skip: without('prlimit', '--version'),
  }, async () => {
    await preview()
    const before = children.length
    const child = children.at(-1)
    limitFiles(child, 3)
    assert.equal((await preview()).state, 'pending')
    const { state, exif, phash, files } = await derive()
    assert.deepEqual([state, exif, phash, files], ['pending', {}, null, []])
    limitFiles(child, 500)
    isMade(await derive())
    assert.equal(children.length, before)
  })

  it('holds it against the picture when it takes too long twice', async () => {
    const log = logOf({ onReady: (pid) => process.kill(pid, 'SIGSTOP') })
    const hurried = startDecoder({ log, timeLimit: 300 })
    others.push(hurried)
    const job = {
      path: picture,
      mime_type: 'image/png',
      to: join(folder.path, 'late.jpg'),
    }
    assert.equal(await hurried.picture('preview', job), 'pending')
    assert.equal(await hurried.picture('preview', { ...job, isSecondTry: true }), 'failed')
  })

  it('tells in the log what of the EXIF is broken', async () => {
    const path = join(folder.path, 'broken.tiff')
    await writeTiff(path, { ifd0: [[271, 2, 'Maker']] })
    const tiff = await readFile(path)
    tiff.writeUInt16LE(0, tiff.indexOf(Buffer.from([15, 1, 2, 0])) + 2)
    await writeFile(path, tiff)
    const heard: unknown[] = []
    const info: Log['info'] = (message, fields) => {
      if (message === 'left out broken EXIF') heard.push(fields)
    }
    const telling = startDecoder({ log: { ...logOf({}), info } })
    others.push(telling)
    const thumbnailPath = join(folder.path, 'broken.jpg')
    await telling.derive({ path, mime_type: 'image/tiff', thumbnailPath })
    assert.deepEqual(heard, [{ count: 1, entries: ['IFD0: 271 has the type 0'] }])
  })

  it('tells in the log that nothing can read a film', async () => {
    const path = join(folder.path, 'noise.mpg')
    await writeFile(path, Buffer.alloc(5000, 'noise'))
    const heard: string[] = []
    const telling = startDecoder({ log: { ...logOf({}), info: (message) => heard.push(message) } })
    others.push(telling)
    const thumbnailPath = join(folder.path, 'noise.jpg')
    await telling.derive({ path, mime_type: 'video/mpeg', thumbnailPath })
    assert.ok(heard.includes('found no film in a video'))
    heard.length = 0
    await telling.derive({ path: picture, mime_type: 'image/png', thumbnailPath })
    assert.ok(!heard.includes('found no film in a video'))
  })

  it('rejects its jobs when it is closed', async () => {
    const closed = startDecoder({ log: logOf({}) })
    const job = { path: picture, mime_type: 'image/png', to: join(folder.path, 'no.jpg') }
    await Promise.all([assert.rejects(closed.picture('preview', job), /closed/), closed.close()])
    await assert.rejects(closed.picture('preview', job), /closed/)
    await closed.close()
  })

  const host = (...args: string[]) => {
    const file = fileURLToPath(new URL('../support/media/decoder-host.ts', import.meta.url))
    const runtime = 'Bun' in globalThis ? [] : ['--import', 'tsx']
    const child = spawn(process.execPath, [...runtime, file, ...args], {
      env: { ...process.env, JWT_SECRET: 'not for the decoder' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  }
  /** Nobody may be there to bury an orphan: a zombie is gone too. */
  const isAlive = async (pid: number) => {
    try {
      process.kill(pid, 0)
    } catch {
      return false
    }
    return !(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).includes(') Z ')
  }
  const gone = (pid: number) => eventually(async () => !(await isAlive(pid)))

  it('does not outlive a server that is killed, and has none of its secrets', async () => {
    const { child, lines } = host(picture, join(folder.path, 'host-1.jpg'), 'stay')
    const { pid } = JSON.parse((await lines.next()).value)
    assert.deepEqual(JSON.parse((await lines.next()).value), { state: 'made' })
    if (process.platform === 'linux') {
      assert.equal((await readFile(`/proc/${pid}/environ`, 'utf8')).includes('JWT_SECRET'), false)
    }
    child.kill('SIGKILL')
    await gone(pid)
  })

  it('has nothing made when the system gives no file, and keeps no process alive when idle', {
    skip: without('prlimit', '--version'),
  }, async () => {
    const { child, lines } = host(picture, join(folder.path, 'host-2.jpg'), 'told')
    const exit = once(child, 'exit')
    assert.deepEqual(JSON.parse((await lines.next()).value), { told: true })
    limitFiles(child.pid, 3)
    child.stdin.write('once')
    assert.deepEqual(JSON.parse((await lines.next()).value), { state: 'pending' })
    limitFiles(child.pid, 500)
    child.stdin.write('again')
    const { pid } = JSON.parse((await lines.next()).value)
    assert.deepEqual(JSON.parse((await lines.next()).value), { state: 'made' })
    child.stdin.end()
    assert.deepEqual(await exit, [0, null])
    await gone(pid)
  })

  it('hears whole lines, whatever they hold', () => {
    const lines: string[] = []
    const stream = new PassThrough()
    onLine(stream, (line) => lines.push(line))
    // U+2028 ends a line of text, but not one of JSON.
    for (const byte of Buffer.from('{"a":"\u2028é"}\n\n{"b":1}\nrest'))
      stream.write(Buffer.of(byte))
    assert.deepEqual(lines, ['{"a":"\u2028é"}', '', '{"b":1}'])
  })

  it('has a placeholder to show instead', async () => {
    const { format, width, height } = await sharp(PLACEHOLDER_PATH).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 320, 320])
  })
})

const NOISE = { type: 'gaussian', mean: 120, sigma: 40 } as const
