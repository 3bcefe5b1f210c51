import type { DerivativeState } from '../../base/enums.ts'
import type { DerivativeKind } from '../../media/data-folder.ts'

const makers = new Map<string, Promise<DerivativeState>>()

/** Returns the key under which a derivative is made. */
export function derivativeKey(kind: DerivativeKind, blob: string): string {
  return `${kind} ${blob}`
}

/** Returns the state of the derivative being made under a key, or undefined if there is none. */
export function makerOf(key: string): Promise<DerivativeState> | undefined {
  return makers.get(key)
}

/** Makes a derivative, or joins the run that makes it already, and returns its state. */
export function makeOnce(
  key: string,
  make: () => Promise<DerivativeState>,
): Promise<DerivativeState> {
  const running = makers.get(key)
  if (running) return running
  const started = make().finally(() => makers.delete(key))
  makers.set(key, started)
  return started
}
