import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { CEPH } from './ceph.ts'
import type { Daemon } from './daemon.ts'
import { GARAGE } from './garage.ts'
import type { Kind } from './kind.ts'
import { MINIO } from './minio.ts'
import { send, type Target } from './signed.ts'

/** A store of others, on this machine and for one test, with a bucket that was empty. */
export interface Engine extends Target {
  name: EngineName
  /** Where it keeps all that it has. */
  folder: string
  /** Its processes. */
  pids(): number[]
  /** Ends all its processes by SIGKILL. */
  kill(): Promise<void>
  /** Starts it again where it was, with what it has on the disk; resolves when it answers. */
  restart(): Promise<void>
  /** Ends all its processes and removes what it has. */
  close(): Promise<void>
}

const KINDS = { ceph: CEPH, garage: GARAGE, minio: MINIO } satisfies Record<string, Kind>

export type EngineName = keyof typeof KINDS

/** The engines that test/slow/s3/README.md has recipes for. */
export const ENGINES = Object.keys(KINDS) as EngineName[]

/** For a test's `skip`: false where the engine can be started here. */
export function withoutEngine(name: EngineName): string | false {
  return KINDS[name].missing()
}

/** Returns in what an engine differs from others. */
export function factsOf(name: EngineName): Pick<Kind, 'isConditional' | 'listsUploads'> {
  return KINDS[name]
}

/** Starts an engine on free ports, in a folder of its own, with an empty bucket; resolves when it answers. */
export async function openEngine(name: EngineName): Promise<Engine> {
  const kind = KINDS[name]
  const folder = await mkdtemp(join(tmpdir(), `tagstead-${name}-`))
  const [port, inner] = [await freePort(), await freePort()]
  const target: Target = {
    endpoint: `http://127.0.0.1:${port}`,
    region: kind.region,
    bucket: 'photos',
    accessKey: 'GK0123456789abcdef01234567',
    secretKey: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  }
  const place = { ...target, folder, port, inner }
  let daemons: Daemon[] = []
  const kill = async () => {
    const ended = daemons
    daemons = []
    await Promise.all(ended.map((daemon) => daemon.kill()))
  }
  const unlessEnded = <Value>(work: Promise<Value>): Promise<Value> =>
    Promise.race([work, ...daemons.map((daemon) => daemon.ended)])
  /** Waits until a request has one of the statuses, after the first start and after others. */
  const answers = (method: string, ...statuses: number[]) =>
    unlessEnded(
      eventually(async () => {
        const answer = await send(target, method, '').catch(() => null)
        return answer !== null && statuses.includes(answer.status)
      }),
    )
  const start = () =>
    new Promise<void>((resolve, reject) => {
      const started = (daemon: Daemon) => {
        daemons.push(daemon)
        daemon.ended.catch(reject)
      }
      kind.start(place, started).then(resolve, reject)
    })
  const close = async () => {
    await kill()
    await rm(folder, { recursive: true })
  }
  try {
    await kind.prepare(place)
    await start()
    await unlessEnded(Promise.resolve(kind.makeKey?.(place)))
    // 409 is of the engine that has made the bucket by itself, or on a request whose answer did not arrive.
    await answers('PUT', 200, 409)
    await answers('GET', 200)
  } catch (error) {
    await close()
    throw error
  }
  return {
    ...target,
    name,
    folder,
    pids: () => daemons.map(({ pid }) => pid),
    kill,
    async restart() {
      await kill()
      await start()
      await answers('GET', 200)
    },
    close,
  }
}
