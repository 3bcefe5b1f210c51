import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Log } from '../../src/context.ts'
import { type Decoder, startDecoder } from '../../src/media/decoder.ts'
import { onLine } from '../../src/media/decoder-process.ts'
import { PLACEHOLDER_PATH } from '../../src/media/placeholder.ts'
import { sniff } from '../../src/media/sniff.ts'
import { corpusFiles, temporaryFolder, withoutCorpus } from './support.ts'

/** A log that tells of each child that is ready, while its first jobs are being sent to it. */
function logOf(onReady: (pid: number) => void, lines: string[] = []): Log {
  const note = (message: string) => void lines.push(message)
  return {
    debug(message, fields) {
      note(message)
      if (message === 'decoder ready') onReady(Number(fields?.pid))
    },
    info: note,
    warn: note,
    error: note,
  }
}

describe('decoder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let picture: string
  let names = 0
  const open: Decoder[] = []
  before(async () => {
    folder = await temporaryFolder()
    picture = join(folder.path, 'picture.png')
    await sharp({
      create: { width: 1600, height: 1200, channels: 3, background: '#777', noise: NOISE },
    })
      .withExif({ IFD0: { Make: 'Maker' }, IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' } })
      .png({ compressionLevel: 1 })
      .toFile(picture)
  })
  after(async () => {
    for (const decoder of open) await decoder.close()
    await folder.remove()
  })

  const start = (options: Parameters<typeof startDecoder>[0]) => {
    const decoder = startDecoder(options)
    open.push(decoder)
    return decoder
  }
  /** Derives the picture into a folder of its own; called in turn, the jobs stand in that order. */
  const derive = async (decoder: Decoder, path = picture, mime_type = 'image/png') => {
    const made = join(folder.path, `made-${names++}`)
    mkdirSync(made)
    const thumbnailPath = join(made, 'thumbnail.jpg')
    const derivatives = await decoder.derive({ path, mime_type, thumbnailPath })
    return { ...derivatives, files: await readdir(made), thumbnailPath }
  }
  const isMade = (result: Awaited<ReturnType<typeof derive>>) => {
    assert.equal(result.state, 'made')
    assert.match(String(result.phash), /^-?\d+$/)
    assert.deepEqual(result.files, ['thumbnail.jpg'])
    assert.equal(result.exif.Make, 'Maker')
    assert.equal(result.content_datetime, Date.UTC(2024, 4, 6, 7, 8, 9))
  }

  it('derives hash, EXIF and thumbnail, and makes a preview', async () => {
    const decoder = start({ log: logOf(() => {}) })
    const result = await derive(decoder)
    isMade(result)
    assert.equal(result.decoder_version, decoder.version)
    const { format, width, height } = await sharp(await readFile(result.thumbnailPath)).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 320, 240])
    const previewPath = join(folder.path, 'preview.jpg')
    assert.equal(
      await decoder.preview({ path: picture, mime_type: 'image/png', previewPath }),
      true,
    )
    assert.equal((await sharp(await readFile(previewPath)).metadata()).width, 1600)
  })

  it('says of a bad picture that it failed, and leaves nothing', async () => {
    const decoder = start({ log: logOf(() => {}) })
    const bad = join(folder.path, 'bad.jpg')
    await writeFile(bad, '\xff\xd8\xff and nothing more')
    const result = await derive(decoder, bad, 'image/jpeg')
    assert.deepEqual(
      [result.state, result.phash, result.exif, result.content_datetime, result.files],
      ['failed', null, {}, null, []],
    )
    const previewPath = join(folder.path, 'none.jpg')
    assert.equal(await decoder.preview({ path: bad, mime_type: 'image/jpeg', previewPath }), false)
    assert.equal(existsSync(previewPath), false)
  })

  it('throws what is not the fault of the picture', async () => {
    const decoder = start({ log: logOf(() => {}) })
    const thumbnailPath = join(folder.path, 'missing', 'thumbnail.jpg')
    const job = { path: picture, mime_type: 'image/png', thumbnailPath }
    await assert.rejects(decoder.derive(job), { code: 'ENOENT' })
    await assert.rejects(derive(decoder, join(folder.path, 'missing.png')), { code: 'ENOENT' })
  })

  it('derives every sample file', { skip: withoutCorpus }, async () => {
    const decoder = start({ log: logOf(() => {}) })
    const failed: string[] = []
    const one = async (path: string) => {
      const mime_type = (await sniff(path))!.mime_type
      const result = await derive(decoder, path, mime_type)
      if (result.state === 'failed') failed.push(basename(path))
      assert.deepEqual(result.files, result.state === 'made' ? ['thumbnail.jpg'] : [])
    }
    await Promise.all(corpusFiles().map(one))
    // The film only for want of ffmpeg.
    assert.deepEqual(failed.sort(), ['corrupted.jpg', 'doorknob.mp4'])
  })

  for (const signal of ['SIGKILL', 'SIGSEGV', 'SIGSTOP'] as const) {
    it(`loses nothing when the child gets ${signal} in the middle of its work`, async () => {
      let killed = 0
      const log = logOf((pid) => killed++ === 0 && process.kill(pid, signal))
      const decoder = start({ log, silenceLimit: 1000, concurrency: 2 })
      const results = await Promise.all([1, 2, 3, 4, 5].map(() => derive(decoder)))
      for (const result of results) isMade(result)
      assert.equal(killed, 2)
    })
  }

  it('goes on when a terminal or a service manager ends the whole group of processes', async () => {
    const children: number[] = []
    const log = logOf((pid) => {
      children.push(pid)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal)
    })
    isMade(await derive(start({ log })))
    assert.equal(children.length, 1)
  })

  it('gives up on a job that ends the child twice, and on no other', async () => {
    let children = 0
    // In flight are the EXIF jobs of both, then that of the first one alone.
    const log = logOf((pid) => ++children <= 2 && process.kill(pid, 'SIGKILL'))
    const decoder = start({ log, concurrency: 2 })
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => derive(decoder)))
    assert.deepEqual([first!.exif, first!.content_datetime, first!.state], [{}, null, 'made'])
    isMade(second!)
    isMade(third!)
    assert.equal(children, 3)
  })

  it('marks a picture failed that ends the child whenever it is decoded', async () => {
    let isKilling = true
    const log = logOf((pid) => isKilling && process.kill(pid, 'SIGSEGV'))
    const decoder = start({ log })
    const result = await derive(decoder)
    assert.deepEqual(
      [result.state, result.phash, result.exif, result.files],
      ['failed', null, {}, []],
    )
    isKilling = false
    isMade(await derive(decoder))
  })

  it('ends a job that takes too long', async () => {
    const lines: string[] = []
    const log = logOf((pid) => process.kill(pid, 'SIGSTOP'), lines)
    const decoder = start({ log, timeLimit: 300 })
    const result = await derive(decoder)
    assert.deepEqual([result.state, result.files], ['failed', []])
    assert.ok(lines.includes('the decoder took too long'))
  })

  it('rejects its jobs when it is closed', async () => {
    const decoder = startDecoder({ log: logOf(() => {}) })
    const job = derive(decoder)
    await Promise.all([assert.rejects(job, /closed/), decoder.close()])
    await assert.rejects(derive(decoder), /closed/)
    await decoder.close()
  })

  const host = (...args: string[]) => {
    const file = fileURLToPath(new URL('./decoder-host.ts', import.meta.url))
    const runtime = 'Bun' in globalThis ? [] : ['--import', 'tsx']
    const child = spawn(process.execPath, [...runtime, file, ...args], {
      env: { ...process.env, JWT_SECRET: 'not for the decoder' },
      stdio: ['ignore', 'pipe', 'inherit'],
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
  const gone = async (pid: number) => {
    while (await isAlive(pid)) await delay(10)
  }

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

  it('keeps no process alive when it is idle', async () => {
    const { child, lines } = host(picture, join(folder.path, 'host-2.jpg'))
    const exit = once(child, 'exit')
    const { pid } = JSON.parse((await lines.next()).value)
    assert.deepEqual(JSON.parse((await lines.next()).value), { state: 'made' })
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
