import { effect } from '@preact/signals'
import { wasSeen } from '../grid/index.ts'
import { screen } from '../routes.ts'

/** The longest wait for pictures that don't load, in milliseconds. */
const PATIENCE = 1000

/** Loads a module after the first pictures; at once on a screen without them. */
export async function afterGrid<Module>(load: () => Promise<Module>): Promise<Module> {
  if (screen.peek() === 'photos') await gridIsThere()
  return load()
}

function gridIsThere(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      // Deferred, because an effect can't dispose itself in its first run.
      if (wasSeen.value) queueMicrotask(go)
    })
    const late = setTimeout(go, PATIENCE)
    function go(): void {
      stop()
      clearTimeout(late)
      resolve()
    }
  })
}
