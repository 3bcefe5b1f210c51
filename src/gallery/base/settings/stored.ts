import { effect, type Signal, signal } from '@preact/signals'

/**
 * Returns a signal whose value this browser keeps under a key. `read` returns what the kept text
 * stands for, and gets null when nothing is kept.
 */
export function stored<Value extends string>(
  key: string,
  read: (text: string | null) => Value,
): Signal<Value> {
  const kept = signal(read(recall(key)))
  const first = kept.peek()
  effect(() => {
    // Nothing is kept until somebody chooses, so that defaults may follow the system's.
    if (kept.value !== first || recall(key) !== null) keep(key, kept.value)
  })
  return kept
}

function recall(key: string): string | null {
  // A browser that is told to keep nothing throws.
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
    // It is lost with the tab.
  }
}
