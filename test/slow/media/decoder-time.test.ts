import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { type Decoder, startDecoder } from '../../../src/media/decoder/decoder.ts'
import { eventually } from '../../support/eventually.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { madeOnce } from '../../support/run-folder.ts'

/** On the clock a file may take as many times its limit. */
const WALL = 4
/** Milliseconds, long enough for a machine that stands still for a moment. */
const LIMIT = 1500

/** Returns the path of a PNG of noise, which is made once for a run. */
const grain = (width: number, height: number) =>
  madeOnce('grain.png', ['grain', width, height], async (path) => {
    const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
    const create = { width, height, channels: 3, background: '#777', noise } as const
    await sharp({ create }).png({ compressionLevel: 1 }).toFile(path)
  })

describe('the time of a file in the decoder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let picture: string
  let small: string
  let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
  let names = 0
  const started: Decoder[] = []
  before(async () => {
    folder = await temporaryFolder()
    ffmpeg = await fakeFfmpeg(folder.path)
    picture = await grain(6000, 5000)
    small = await grain(60, 50)
  })
  after(async () => {
    for (const decoder of started) await decoder.close()
    await folder.remove()
  })

  type Options = Omit<Parameters<typeof startDecoder>[0], 'log'>
  const filmAt = async (name: string) => {
    const path = join(folder.path, name)
    await writeFile(path, WEBM)
    return path
  }
  /** Starts a decoder; tells of its child as soon as that is ready and has its first jobs. */
  const start = (options: Options, onReady = (_pid: number, _child: string) => {}) => {
    const tooLong: Record<string, number>[] = []
    const log = {
      debug: (message: string, fields?: Record<string, unknown>) => {
        if (message === 'decoder ready') onReady(Number(fields?.pid), String(fields?.child))
      },
      info: () => {},
      warn: (message: string, fields?: Record<string, unknown>) => {
        if (message === 'the decoder took too long') tooLong.push(fields as Record<string, number>)
      },
      error: () => {},
    }
    const decoder = startDecoder({ ...options, log })
    started.push(decoder)
    return { decoder, tooLong }
  }
  const make = (decoder: Decoder, path = picture) => {
    const to = join(folder.path, `${names++}.jpg`)
    return decoder.picture('full', { path, mime_type: 'image/png', to })
  }
  const derive = (decoder: Decoder, path: string, mime_type: string, by = 1) => {
    const thumbnailPath = join(folder.path, `${names++}.jpg`)
    return decoder.derive({ path, mime_type, thumbnailPath, by, isUpload: true })
  }
  const stop = (pid: number) => process.kill(pid, 'SIGSTOP')
  /** Waits as many milliseconds on the clock, which end a job that stands still. */
  const wall = (milliseconds: number) =>
    make(start({ timeLimit: milliseconds / WALL }, stop).decoder)

  it('ends it after as much work, long before as much on the clock', async () => {
    const { decoder, tooLong } = start({ timeLimit: 300, silenceLimit: 300 })
    // Where it gets less than a quarter of a processor for a while, the clock is first.
    await eventually(async () => {
      assert.equal(await make(decoder), 'pending')
      return tooLong.some(({ cpu, wall }) => cpu! > 300 && wall! < WALL * 300)
    })
    assert.ok(tooLong.every(({ limit }) => limit === 300))
  })

  it('lets it wait for a busy machine', async () => {
    let pid = 0
    let isStopped = () => {}
    const stopped = new Promise<void>((resolve) => {
      isStopped = resolve
    })
    const { decoder, tooLong } = start({ timeLimit: LIMIT }, (ready) => {
      pid = ready
      stop(pid)
      isStopped()
    })
    // Little work, so that nothing else than standing still takes much of its time.
    const made = make(decoder, small)
    await stopped
    await wall(1.1 * LIMIT)
    process.kill(pid, 'SIGCONT')
    assert.equal(await made, 'made')
    assert.deepEqual(tooLong, [])
  })

  it('is one for all that is made of it', async () => {
    ffmpeg.answer('waits')
    const film = await filmAt('film.webm')
    let pid = 0
    let isStopped = () => {}
    const stopped = new Promise<void>((resolve) => {
      isStopped = resolve
    })
    const { decoder, tooLong } = start({ timeLimit: LIMIT, ffmpeg }, (ready) => {
      pid = ready
      stop(pid)
      isStopped()
    })
    const made = derive(decoder, film, 'video/webm')
    await stopped
    // These timers stand in one line with the decoder's own, so that a busy machine delays all of them alike.
    const goOn = setTimeout(() => process.kill(pid, 'SIGCONT'), 0.5 * WALL * LIMIT)
    let endedBefore: number | undefined
    // With a time of its own, the second job would end after 1.5 times the limit.
    const longer = setTimeout(
      () => {
        endedBefore = tooLong.length
      },
      1.3 * WALL * LIMIT,
    )
    assert.equal((await made).state, 'pending')
    assert.equal(endedBefore ?? tooLong.length, 1)
    clearTimeout(goOn)
    clearTimeout(longer)
    // A timer is late at times, and never early.
    assert.ok(tooLong[0]!.wall! > 0.95 * WALL * LIMIT, String(tooLong[0]!.wall))
    assert.equal(tooLong[0]?.op, 'thumbnail')
  })

  it('ends the programs that are started for it', async () => {
    const film = await filmAt('burns.webm')
    ffmpeg.answer('works')
    const { decoder } = start({ timeLimit: 1000, ffmpeg })
    assert.equal((await derive(decoder, film, 'video/webm')).state, 'pending')
    ffmpeg.answer('frame')
    // On a busy machine, even this may take too long.
    await eventually(async () => (await derive(decoder, film, 'video/webm')).state === 'made')
  })

  it('ends nothing but its own jobs: those beside them begin again, and wait for no suspects', async () => {
    ffmpeg.answer('waits')
    const children: string[] = []
    // With a longer one, the child would end the program before the decoder ends the child.
    const options = { timeLimit: 700, ffmpeg }
    const { decoder, tooLong } = start(options, (_pid, child) => void children.push(child))
    const long = derive(decoder, await filmAt('long.webm'), 'video/webm')
    await ffmpeg.waiting()
    ffmpeg.answer('frame')
    // It waits in the child for the other one.
    const beside = derive(decoder, await filmAt('beside.webm'), 'video/webm', 2)
    assert.equal((await long).state, 'pending')
    assert.equal((await beside).state, 'made')
    assert.equal(tooLong.length, 1)
    assert.deepEqual(children, ['healthy', 'healthy'])
  })

  it('makes nobody wait, though all places are held by films of two others', async () => {
    ffmpeg.answer('waits')
    const places = { ofOne: 2, ofAll: 3, ofAnswers: 2, ofLate: 2 }
    const { decoder } = start({ places, ffmpeg })
    const films = [1, 1, 2, 2, 1, 2].map(async (by, n) =>
      derive(decoder, await filmAt(`${n}.webm`), 'video/webm', by),
    )
    await ffmpeg.waiting()
    assert.equal((await derive(decoder, picture, 'image/png', 3)).state, 'made')
    ffmpeg.answer('frame')
    await ffmpeg.goOn()
    for (const film of films) assert.equal((await film).state, 'made')
  })
})
