import { setTimeout } from 'node:timers/promises'

/** Milliseconds after which what is waited for won't come: far more than a busy machine takes. */
const LIMIT = 60_000

/** What a condition may return while it doesn't hold. */
type NotYet = false | null | undefined

/**
 * Resolves with what `look` returns as soon as that is neither false, null nor undefined. After a minute it throws
 * an error that has the text of `look`, which is what was waited for. Tests wait in no other way for what nothing
 * announces.
 */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
): Promise<Exclude<Value, NotYet>> {
  const end = performance.now() + LIMIT
  for (;;) {
    const value = await look()
    if (value !== false && value !== null && value !== undefined) {
      return value as Exclude<Value, NotYet>
    }
    if (performance.now() > end) throw new Error(`It did not come true in a minute: ${look}`)
    await setTimeout(10)
  }
}
