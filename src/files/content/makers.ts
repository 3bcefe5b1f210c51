import type { DerivativeState } from '../../base/enums.ts'
import type { DerivativeKind } from '../../media/data-folder.ts'

/** The derivatives that are being made right now, by kind and blob: each has one maker. */
const makers = new Map<string, Promise<DerivativeState>>()

/** The name of a derivative of a content. */
export function derivativeKey(kind: DerivativeKind, blob: string): string {
  return `${kind} ${blob}`
}

/** Returns the state of the derivative that is being made under a key, or undefined when none is. */
export function makerOf(key: string): Promise<DerivativeState> | undefined {
  return makers.get(key)
}

/** Has a derivative made, unless it is being made already, and returns its state. */
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
