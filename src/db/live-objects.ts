/** Returns a collection that doesn't keep its objects from garbage collection. */
export function liveObjects<T extends object>() {
  const refs = new Set<WeakRef<T>>()
  const collected = new FinalizationRegistry<WeakRef<T>>((ref) => refs.delete(ref))
  return {
    add<Added extends T>(object: Added): Added {
      const ref = new WeakRef<T>(object)
      refs.add(ref)
      collected.register(object, ref)
      return object
    },
    all: () => [...refs].flatMap((ref) => ref.deref() ?? []),
  }
}
