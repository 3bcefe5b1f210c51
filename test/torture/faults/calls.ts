import assert from 'node:assert/strict'
import { createTally, type Outcome, type PointOptions } from './outcome.ts'
import { REQUESTS } from './requests.ts'
import { openScene, type Scene } from './scene.ts'
import {
  attach,
  type Called,
  type CallName,
  type Harm,
  type Point,
  pointsOf,
  spread,
} from './strace.ts'

const ERRORS: Harm[] = ['error=EIO', 'error=ENOSPC']
const FAILING: CallName[] = ['write', 'pwrite64', 'fsync', 'rename']

/**
 * Kills the server at the calls of one request, each time another one. Throws when what was acknowledged isn't there
 * after the next start, something is there in part, or the library isn't sound.
 */
export async function killAtCalls(
  name: string,
  { runtime, seed, most }: PointOptions,
): Promise<Outcome> {
  const scene = await openScene(runtime, seed)
  try {
    const known = (await callsOf(name, scene)).filter(({ call }) => call !== 'write')
    const tally = createTally(known)
    const { outcome } = tally
    for (const point of pointsOf(known, most)) {
      const { called, isAcknowledged } = await harm(name, scene, point, 'signal=KILL')
      if (isAcknowledged) outcome.acknowledged++
      if (await scene.ended()) {
        await scene.server.stop()
        await scene.start()
        const hit = called.findLast(({ when }) => when === point.when)
        if (hit) tally.harmed(hit)
      }
      if (await scene.check()) outcome.kept++
    }
    return outcome
  } finally {
    await scene.close()
  }
}

/**
 * Lets calls of one request fail, each time another one, after which the same server goes on. Throws as `killAtCalls`
 * does, when a request is acknowledged whose content or commit could not be written, and when the next one fails.
 */
export async function failAtCalls(
  name: string,
  { runtime, seed, most }: PointOptions,
): Promise<Outcome> {
  const scene = await openScene(runtime, seed)
  try {
    const known = (await callsOf(name, scene)).filter(({ call }) => FAILING.includes(call))
    const tally = createTally(known)
    const { outcome } = tally
    const isVital = vitalAmong(known)
    for (const how of ERRORS) {
      for (const point of spread(known, Math.ceil(most / ERRORS.length))) {
        const { called, isAcknowledged } = await harm(name, scene, point, how)
        const hits = called.filter(({ isHarmed }) => isHarmed)
        for (const hit of hits) tally.harmed(hit)
        if (isAcknowledged) {
          outcome.acknowledged++
          assert.deepEqual(hits.filter(isVital), [], `${name}: acknowledged in spite of ${how}`)
        }
        if (await scene.ended()) {
          // Another write of the thread may have been hit, by which Node's threads wake each other: it gives up then.
          if (hits.length > 0) outcome.ended++
          await scene.server.stop()
          await scene.start()
        }
        if (await scene.check()) outcome.kept++
        await goOn(name, scene)
      }
    }
    return outcome
  } finally {
    await scene.close()
  }
}

/** Returns whether a request may not be acknowledged when a call fails: all to the commit, but those of pictures. */
function vitalAmong(known: Called[]): (called: Called) => boolean {
  const isCommit = ({ what }: Called) => what === 'fsync tagstead.sqlite-wal'
  const untilCommit = known.slice(0, known.findIndex(isCommit) + 1)
  const pages = untilCommit.filter(({ what }) => what === 'pwrite64 tagstead.sqlite-wal')
  const last = pages.at(-1)?.when ?? 0
  return (called) => {
    const { call, what, when } = called
    if (call === 'pwrite64') return when <= last
    if (isCommit(called)) return when === 1
    return /^(write tmp\/\*|fsync (tmp\/\*|files.*)|rename files.*)$/.test(what)
  }
}

/** Returns what a request has the system do to the data folder, in order, such as `fsync tmp/*`. */
export async function callsOfOne(name: string, { runtime, seed }: PointOptions): Promise<string[]> {
  const scene = await openScene(runtime, seed)
  try {
    return (await callsOf(name, scene)).map(({ what }) => what)
  } finally {
    await scene.close()
  }
}

/** Returns the calls of a request that nothing happens to. */
async function callsOf(name: string, scene: Scene): Promise<Called[]> {
  const { prepare, run } = REQUESTS[name]!
  await prepare(scene)
  const tracing = await attach(scene.server.process.pid!, { folder: scene.dataDir })
  assert.ok(await run(scene))
  return tracing.end()
}

async function harm(name: string, scene: Scene, point: Point, how: Harm) {
  const { prepare, run } = REQUESTS[name]!
  await prepare(scene)
  const injection = { ...point, harm: how }
  const tracing = await attach(scene.server.process.pid!, { folder: scene.dataDir, injection })
  const isAcknowledged = await run(scene)
  return { isAcknowledged, called: await tracing.end() }
}

/** Throws unless the same request succeeds now. */
async function goOn(name: string, scene: Scene): Promise<void> {
  const { prepare, run } = REQUESTS[name]!
  await prepare(scene)
  assert.ok(await run(scene), `${name} fails although nothing is wrong any more`)
}
