import { dayOf, monthKey } from '../days.ts'
import type { Bucket } from '../engine.ts'

/** Returns the buckets with one file less for each of the times, in seconds of the local clock. */
export function withoutFiles(buckets: readonly Bucket[], times: readonly number[]): Bucket[] {
  const gone = new Map<string, number>()
  for (const time of times) {
    const key = monthKey(dayOf(time))
    gone.set(key, (gone.get(key) ?? 0) + 1)
  }
  return buckets.map((bucket) => {
    const { key, count } = bucket
    // A large month has several buckets.
    const taken = Math.min(count, gone.get(key) ?? 0)
    gone.set(key, (gone.get(key) ?? 0) - taken)
    return taken > 0 ? { ...bucket, count: count - taken } : bucket
  })
}
