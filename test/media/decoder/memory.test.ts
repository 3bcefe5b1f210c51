import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Decoder, startDecoder } from '../../../src/media/decoder/decoder.ts'
import { pngBomb } from '../../support/media/bombs.ts'
import { temporaryFolder, without } from '../../support/media/media.ts'
import { walledDecoder, withoutWalls } from '../../support/media/walls.ts'
import { descendantsOf } from '../../support/processes.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { writeInterlaced } from '../../torture/bombs/pngs.ts'

describe('the memory of the decoder', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let names = 0
  const started: Decoder[] = []
  before(async () => {
    folder = await temporaryFolder()
  })
  after(async () => {
    for (const decoder of started) await decoder.close()
    await folder.remove()
  })

  /** Starts a decoder, and tells what its children have been, the last one last. */
  const start = (
    options: { idleLimit?: number; idleMemory?: number } = {},
    onReady = (_pid: number, _child: string) => {},
  ) => {
    const ready: number[] = []
    const gone: string[] = []
    let hasGone = () => {}
    const log = {
      debug(message: string, fields?: Record<string, unknown>) {
        if (message === 'decoder ready') {
          ready.push(Number(fields?.pid))
          onReady(Number(fields?.pid), String(fields?.child))
        }
        if (message !== 'decoder goes') return
        gone.push(String(fields?.child))
        hasGone()
      },
      info: () => {},
      warn: (message: string) => gone.push(message),
      error: () => {},
    }
    const decoder = startDecoder({ ...options, log })
    started.push(decoder)
    const untilGone = () =>
      new Promise<void>((resolve) => {
        hasGone = resolve
      })
    return { decoder, ready, gone, untilGone }
  }
  const write = async (width: number, height: number) => {
    const path = join(folder.path, `${names++}.jpg`)
    const create = { width, height, channels: 3, background: '#467' } as const
    await sharp({ create }).jpeg().toFile(path)
    return path
  }
  const preview = async (decoder: Decoder, path: string, isSecondTry = false) => {
    const to = join(folder.path, `${names++}.jpg`)
    const job = { path, mime_type: 'image/jpeg', to, isSecondTry }
    assert.equal(await decoder.picture('preview', job), 'made')
  }

  it('is the first that the system takes back', {
    skip: process.platform !== 'linux' && 'needs Linux',
  }, async () => {
    const { decoder, ready } = start()
    await preview(decoder, await write(40, 30))
    assert.equal(await readFile(`/proc/${ready[0]}/oom_score_adj`, 'utf8'), '1000\n')
  })

  it('is so behind namespaces, too', { skip: withoutWalls('namespaces') }, async () => {
    const walled = await walledDecoder('namespaces')
    const path = await write(40, 30)
    assert.equal((await walled.derive(path, 'image/jpeg')).state, 'made')
    const { pid } = await walled.told('decoder ready')
    const scores = descendantsOf(Number(pid)).map((each) => [
      readFileSync(`/proc/${each}/comm`, 'utf8').trim(),
      readFileSync(`/proc/${each}/oom_score_adj`, 'utf8').trim(),
      /^Max data size\s+(\d+)/m.exec(readFileSync(`/proc/${each}/limits`, 'utf8'))![1],
    ])
    const [, score, data] = scores.find(([name]) => name !== 'bwrap' && name !== 'sh')!
    assert.equal(score, '1000')
    assert.ok(Number(data) > 470e6 && Number(data) < 900e6, data)
    await walled.end()
  })

  it('is given back after a while without work, by both children', async () => {
    const { decoder, ready, gone, untilGone } = start({ idleLimit: 50 })
    const path = await write(40, 30)
    // An idle decoder keeps no process alive.
    const awake = setInterval(() => {}, 1000)
    for (const isSecondTry of [false, true]) {
      const went = untilGone()
      await preview(decoder, path, isSecondTry)
      await went
    }
    clearInterval(awake)
    assert.deepEqual(gone, ['healthy', 'suspects'])
    await preview(decoder, path)
    assert.equal(ready.length, 3)
  })

  it('is given back after a job that left too much of it, and not after others', async () => {
    const path = await write(400, 300)
    const usual = start()
    for (let times = 0; times < 3; times++) await preview(usual.decoder, path)
    assert.deepEqual([usual.ready.length, usual.gone], [1, []])
    const poor = start({ idleMemory: 1_000_000 })
    for (let times = 0; times < 3; times++) await preview(poor.decoder, path)
    assert.equal(poor.ready.length, 3)
    assert.deepEqual(poor.gone, ['healthy', 'healthy', 'healthy'])
  })

  /** Bytes, as the system counts what a process may write to. */
  const dataOf = (pid: number) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmData:\s+(\d+) kB$/m.exec(status)![1]) * 1024
  }
  const interlaced = async (side: number) => {
    const path = join(folder.path, `${names++}.png`)
    await writeInterlaced(path, side, 3)
    return path
  }
  const previewOf = (decoder: Decoder, path: string, isSecondTry = false) => {
    const to = join(folder.path, `${names++}.jpg`)
    return decoder.picture('preview', { path, mime_type: 'image/png', to, isSecondTry })
  }

  it('is taken for a large picture by one child alone, and bounded for each', {
    skip: process.platform !== 'linux' && 'needs Linux',
  }, async () => {
    const more = new Map<string, number>()
    const { decoder } = start({}, (pid, child) => {
      const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
      more.set(child, Number(/^Max data size\s+(\d+)/m.exec(limits)![1]) - dataOf(pid))
    })
    assert.equal(await previewOf(decoder, await interlaced(7000)), 'made')
    assert.deepEqual([...more.keys()], ['healthy'])
    assert.equal(await previewOf(decoder, await interlaced(7500)), 'made')
    assert.deepEqual([...more.keys()], ['healthy', 'suspects'])
    const [healthy, suspects] = [...more.values()] as [number, number]
    assert.ok(healthy > 400e6 && healthy < 520e6, String(healthy))
    assert.ok(suspects > 880e6 && suspects < 1000e6, String(suspects))
  })

  it('is taken for a picture of few, but very long rows by that child, too', async () => {
    const children: string[] = []
    const { decoder, gone } = start({}, (_pid, child) => children.push(child))
    const path = join(folder.path, 'wide.png')
    await writeFile(path, await pngBomb(500_000, 48, { depth: 8, colour: 2 }))
    assert.equal(await previewOf(decoder, path), 'made')
    assert.deepEqual(children, ['healthy', 'suspects'])
    // It may go afterwards, to give its memory back.
    assert.ok(!gone.includes('decoder died'))
  })

  it('is looked for in the other child, and then by another try, and no more', {
    skip: without('prlimit', '--version'),
  }, async () => {
    const startScarce = (...scarce: string[]) =>
      start({}, (pid, child) => {
        if (!scarce.includes(child)) return
        execFileSync('prlimit', ['--pid', String(pid), `--data=${dataOf(pid) + 60e6}:`])
      })
    const path = await interlaced(6000)
    assert.equal(await previewOf(startScarce('healthy').decoder, path), 'made')
    const { decoder, gone } = startScarce('healthy', 'suspects')
    assert.equal(await previewOf(decoder, path), 'pending')
    assert.equal(await previewOf(decoder, path, true), 'failed')
    assert.equal(gone.includes('decoder died'), false)
    await preview(decoder, await write(40, 30))
  })
})
