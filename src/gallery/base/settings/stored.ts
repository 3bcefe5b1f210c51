import { effect, type Signal, signal } from '@preact/signals'

/**
 * Creates a signal whose value this browser stores under a key. `read` parses the stored text, and gets
 * null if nothing is stored.
 */
export function stored<Value extends string>(
  key: string,
  read: (text: string | null) => Value,
): Signal<Value> {
  const kept = signal(read(recall(key)))
  const first = kept.peek()
  effect(() => {
    // Nothing is stored until the user chooses, so that defaults may follow the system's.
    if (kept.value !== first || recall(key) !== null) keep(key, kept.value)
  })
  return kept
}

function recall(key: string): string | null {
  // A browser that may store nothing throws.
  try {
    return globalThis.localStorage?.getItem(`tagstead-${key}`) ?? null
  } catch {
    return null
  }
}

function keep(key: string, text: string): void {
  try {
    globalThis.localStorage?.setItem(`tagstead-${key}`, text)
  } catch {
    // The value is lost with the tab.
  }
}
