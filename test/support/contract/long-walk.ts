import { openLibrary, picture } from '../harness.ts'
import { walk } from './walk.ts'

// A program of its own, which sends that many made-up requests to all operations, from a seed.
const [count, seed] = process.argv.slice(2).map(Number) as [number, number]
const library = await openLibrary({ MAX_UPLOAD_SIZE: '1MiB' })
try {
  const pictures = [await picture(1), await picture(2)]
  const tally = await walk(library, { seed, count, pictures })
  const byStatus = new Map<number, number>()
  for (const statuses of tally.values()) {
    for (const [status, n] of statuses) byStatus.set(status, (byStatus.get(status) ?? 0) + n)
  }
  const counts = [...byStatus].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`)
  process.stdout.write(
    `${tally.size} operations, all answers as the document says, seed ${seed}; ${counts.join(', ')}\n`,
  )
} finally {
  await library.close()
}
