import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { printTable } from '../bench/measure.ts'
import { type Runtime, spawnServer } from '../support/spawn.ts'
import { type Damage, damageOf, openScene } from './bombs/damage.ts'
import { BOMBS } from './bombs/list.ts'

const AT_ONCE = 4
const WALLS = process.env.TORTURE_WALLS ?? 'namespaces'

/** Milliseconds. */
const LONGEST_WAIT = 5000
const REST = 60_000
/** MiB. */
const MOST_OF_CHILDREN = 1700
const MOST_MORE = 60
const MOST_LEFT = 100

/**
 * Sends files that cost much to decode, one by one and four at once, while somebody else uploads small
 * pictures, and prints how long those wait and how much memory the server and its children take. Throws
 * when that is more than it may be. TORTURE_RUNTIMES names the runtimes, by default bun,node, and TORTURE_WALLS
 * how far the decoder is shut off at best, by default by namespaces.
 */
export async function torture(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-bombs-'))
  try {
    const paths = []
    for (const [name, write] of Object.entries(BOMBS)) {
      await write(join(folder, name))
      paths.push(join(folder, name))
    }
    for (const runtime of (process.env.TORTURE_RUNTIMES ?? 'bun,node').split(',') as Runtime[]) {
      await bomb(runtime, paths)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function bomb(runtime: Runtime, paths: string[]): Promise<void> {
  const server = await spawnServer({ runtime, env: { DECODER_WALLS: WALLS } })
  try {
    const scene = await openScene(server)
    const before = scene.memory()
    const rows: Damage[] = []
    for (const path of paths) rows.push(await damageOf(scene, [path]))
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      rows.push(await damageOf(scene, paths.slice(from, from + AT_ONCE)))
    }
    printTable(
      `bombs, ${runtime}: milliseconds, MiB`,
      rows.map((row) => ({ ...row })),
    )
    await setTimeout(REST)
    const after = scene.memory()
    const left = after.server + after.children - before.server - before.children
    process.stdout.write(`a minute later: ${left.toFixed(0)} MiB more than before\n`)
    for (const { bombs, waited, children, more } of rows) {
      assert.ok(waited < LONGEST_WAIT, `${bombs}: somebody else waits ${waited} ms`)
      assert.ok(children < MOST_OF_CHILDREN, `${bombs}: the children take ${children} MiB`)
      assert.ok(more < MOST_MORE, `${bombs}: the server takes ${more} MiB more`)
    }
    assert.ok(left < MOST_LEFT, `${left} MiB are left`)
  } finally {
    await server.stop()
  }
}
