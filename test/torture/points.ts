import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendantsOf, isRunning } from '../support/processes.ts'
import type { Runtime } from '../support/spawn.ts'
import { POINTS, type Reached } from './points/list.ts'
import { checkAll, filesIn, openScene, type Scene, type Sent, until } from './points/scene.ts'

/** Milliseconds in which a stopped child is missed, and what it had to do is done by another one. */
const LONGEST = 40_000
const TAGS = [
  '-metadata',
  'make=Maker',
  '-metadata',
  'model=Model',
  '-movflags',
  'use_metadata_tags',
]

/**
 * At each point of an upload and a look at a preview: kills the server with SIGKILL, stops the decoder's
 * children with SIGSTOP, and fills the disk. Throws when an upload that was acknowledged is lost, or has
 * not its EXIF or no picture later, when something is left in `tmp/`, or a stopped child is. It must be
 * root, which may mount a small disk. TORTURE_RUNTIMES names the runtimes, by default bun,node.
 */
export async function torture(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-points-'))
  const disk = join(folder, 'disk')
  const film = join(folder, 'film.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=96x64:d=2:r=25']
  execFileSync('ffmpeg', ['-v', 'error', ...source, ...TAGS, film], { stdio: 'ignore' })
  for (const runtime of (process.env.TORTURE_RUNTIMES ?? 'bun,node').split(',') as Runtime[]) {
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk])
    const own = mkdtempSync(join(folder, 'ffmpeg-'))
    try {
      const scene = await openScene(own, { dataDir: join(disk, 'data'), runtime, film })
      await tortureOn(scene, runtime, film)
    } finally {
      execFileSync('umount', ['--lazy', disk])
      rmSync(disk, { recursive: true })
    }
  }
  rmSync(folder, { recursive: true })
}

async function tortureOn(scene: Scene, runtime: Runtime, film: string): Promise<void> {
  await scene.start()
  const first = await scene.upload()
  const facts = first!.told.exif
  assert.equal(facts.width, 96)
  for (const [point, reach] of Object.entries(POINTS)) {
    for (const [what, harm] of Object.entries(HARMS)) {
      // A child that is there is what is harmed.
      scene.ffmpeg.answer('frame')
      assert.equal((await scene.upload())?.status, 201)
      const started = performance.now()
      const found = await harm(scene, await reach(scene))
      const waited = Math.round(performance.now() - started)
      await checkAll(scene, film, facts)
      await until('an empty tmp/', () => filesIn(scene, 'tmp').length === 0)
      process.stdout.write(`points, ${runtime}, ${point}: ${what}: ${found}, ${waited} ms\n`)
    }
  }
  const count = scene.acknowledged.size
  process.stdout.write(`points, ${runtime}: all of ${count} acknowledged uploads are there\n`)
  await scene.server.stop()
}

function outcomeOf(sent: Sent): string {
  return sent === null ? 'no answer' : String(sent.status)
}

type Harm = (scene: Scene, reached: Reached) => Promise<string>

const HARMS: Record<string, Harm> = {
  async killed(scene, { answer, goOn }) {
    const left = descendantsOf(scene.server.process.pid!)
    await scene.server.stop('SIGKILL')
    const sent = await answer
    await goOn()
    scene.ffmpeg.answer('frame')
    await scene.start()
    const survivors = left.filter(isRunning)
    for (const pid of survivors) process.kill(pid, 'SIGKILL')
    return `${outcomeOf(sent)}, ${survivors.length} processes outlive it`
  },
  async stopped(scene, { answer, isInChild, goOn }) {
    const stopped = scene.decoders()
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    scene.ffmpeg.answer('frame')
    const started = performance.now()
    if (!isInChild) await goOn()
    const next = scene.upload()
    const sent = await answer
    assert.equal((await next)?.status, 201)
    assert.ok(performance.now() - started < LONGEST)
    await until('the end of the stopped child', () => !stopped.some(isRunning))
    if (isInChild) await goOn()
    return outcomeOf(sent)
  },
  async full(scene, { answer, goOn }) {
    scene.fill()
    await goOn()
    const sent = await answer
    scene.empty()
    scene.ffmpeg.answer('frame')
    return outcomeOf(sent)
  },
}
