import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { walk } from '../support/contract/walk.ts'
import { openLibrary, picture } from '../support/harness.ts'
import { measureOnce, printTable } from './measure.ts'
import { makeWorld } from './requests/world.ts'

const FILES = Number(process.env.BENCH_FILES ?? 1_000_000)
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 10_000)
const SEED = Number(process.env.BENCH_SEED ?? 1)
const SLOWEST = 10
/** No request may hold the event loop for longer, in milliseconds. */
const LONGEST_HOLD = 50
/** These take as long as what they tell of. */
const LASTING = ['rescanDuplicates', 'importFiles']

interface Answered {
  request: string
  status: string
  ms: number
  hold: number
}

/**
 * Sends made-up requests to all operations of the document, in a library of BENCH_FILES files, and
 * prints the ten slowest and the ten that held the loop for longest; BENCH_SEED repeats a walk.
 */
export async function bench(): Promise<void> {
  const world = await makeWorld(FILES)
  const database = join(world.dataDir, 'tagstead.sqlite')
  const library = await openLibrary({ MAX_UPLOAD_SIZE: '1MiB' }, {}, {}, database)
  try {
    const app = createApp(library.deps)
    const answered: Answered[] = []
    const request = async (path: string, init: RequestInit = {}) => {
      let made = new Response(null)
      const times = await measureOnce(async () => {
        const { status, headers, body } = await app.request(path, init)
        const bytes = body && (await new Response(body).arrayBuffer())
        made = new Response(bytes, { status, headers })
      })
      answered.push({ request: `${init.method} ${path}`, status: String(made.status), ...times })
      return made
    }
    const { contract } = library
    const operations = contract.operations.filter(({ id }) => !LASTING.includes(id))
    const walked = { ...library, request, contract: { ...contract, operations } }
    const pictures = [await picture(1), await picture(2)]
    await walk(walked, { seed: SEED, count: REQUESTS, pictures })
    print(answered)
  } finally {
    await library.close()
    world.remove()
  }
}

function print(answered: Answered[]): void {
  const most = (by: 'ms' | 'hold') =>
    answered
      .toSorted((a, b) => b[by] - a[by])
      .slice(0, SLOWEST)
      .map((each) => ({ ...each, request: each.request.slice(0, 120) }))
  const all = `${answered.length} made-up requests among ${FILES} files, seed ${SEED}`
  printTable(`the slowest of ${all}`, most('ms'))
  printTable('those that held the loop for longest', most('hold'))
  const holding = answered.filter(({ hold }) => hold > LONGEST_HOLD)
  process.stdout.write(`${holding.length} held the loop for more than ${LONGEST_HOLD} ms\n`)
}
