import { beforeAbort, type Wait } from '../../src/base/time.ts'
import { eventually } from './eventually.ts'

/** A wait that is over when the test says so. */
export function heldWait() {
  const held: { ms: number; over: () => void }[] = []
  const wait: Wait = (ms, signal) =>
    beforeAbort(new Promise<void>((over) => held.push({ ms, over })), signal)
  return {
    wait,
    /** The milliseconds of what is waited for now. */
    waited: () => held.map(({ ms }) => ms),
    /** Resolves once something waits. */
    begun: () => eventually(() => held.length > 0),
    /** Lets the time pass that the first one waits for. */
    pass: async () => {
      await eventually(() => held.length > 0)
      held.shift()!.over()
      // What follows from it comes first.
      await new Promise<void>((resolve) => setImmediate(resolve))
    },
  }
}
