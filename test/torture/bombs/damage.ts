import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { form, picture } from '../../support/harness.ts'
import { descendantsOf, proportionOf, residentOf } from '../../support/processes.ts'
import type { SpawnedServer } from '../../support/spawn.ts'
import { signIn } from '../upload.ts'

/** A server with somebody who sends bombs, and somebody else. */
interface Scene {
  /** Sends a file as the one, and returns the milliseconds until it is answered. */
  attack(path: string): Promise<number>
  /** Sends a small picture as the other, and returns the same. */
  live(): Promise<number>
  /** Returns what the server takes at the moment, and its children together, in MiB. */
  memory(): { server: number; children: number }
}

/** What bombs did. */
export interface Damage {
  bombs: string
  /** How long the sender waited for all of them, in milliseconds. */
  sent: number
  /** How long somebody else waited for a small picture at most, in milliseconds. */
  waited: number
  /** The most memory of the children together, in MiB. */
  children: number
  /** How much more memory the server took at most than before, in MiB. */
  more: number
}

const PASSWORD = 'a password of somebody'
/** Milliseconds between two looks at the memory. */
const PAUSE = 50

/** Returns a scene whose decoder has started. */
export async function openScene(server: SpawnedServer): Promise<Scene> {
  const admin = await signIn(server)
  const [eve, bob] = [await join(server, admin, 'Eve'), await join(server, admin, 'Bob')]
  const live = async () => {
    // Each is another content.
    return upload(server, bob, Buffer.concat([await picture(), randomBytes(2000)]), 'small.jpg')
  }
  await live()
  const { pid } = server.process
  return {
    attack: (path) => upload(server, eve, readFileSync(path), basename(path)),
    live,
    memory: () => ({
      server: residentOf(pid!),
      children: descendantsOf(pid!).reduce((sum, child) => sum + proportionOf(child), 0),
    }),
  }
}

/** Sends bombs at once, and returns what they did until all of them were answered. */
export async function damageOf(scene: Scene, paths: string[]): Promise<Damage> {
  const before = scene.memory().server
  const damage = { waited: 0, children: 0, more: 0 }
  let isOver = false
  const repeat = async (work: () => unknown) => {
    while (!isOver) await work()
  }
  const others = Promise.all([
    repeat(async () => {
      damage.waited = Math.max(damage.waited, await scene.live())
    }),
    repeat(async () => {
      const { server, children } = scene.memory()
      damage.children = Math.max(damage.children, children)
      damage.more = Math.max(damage.more, server - before)
      await setTimeout(PAUSE)
    }),
  ])
  const sent = await Promise.all(paths.map((path) => scene.attack(path))).finally(() => {
    isOver = true
  })
  await others
  const bombs = paths.map((path) => basename(path)).join(' ')
  return { bombs, sent: Math.max(...sent), ...damage }
}

/** Makes somebody who may add files, and returns their token. */
async function join(server: SpawnedServer, admin: string, name: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/users`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password: PASSWORD, can_create: true }),
  })
  assert.equal(response.status, 201)
  return signIn({ ...server, adminPassword: PASSWORD }, name)
}

async function upload(
  { url }: SpawnedServer,
  token: string,
  bytes: Uint8Array,
  name: string,
): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${url}/api/v1/files`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form(bytes, name),
  })
  assert.equal(response.status, 201, `${name}: ${await response.text()}`)
  return performance.now() - started
}
