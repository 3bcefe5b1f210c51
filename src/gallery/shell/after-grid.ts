import { effect } from '@preact/signals'
import { wasSeen } from '../grid/index.ts'
import { screen } from '../routes.ts'

/** How long is waited for pictures that don't come, in milliseconds. */
const PATIENCE = 1000

/** Loads something that the first pictures come before; at once on a screen without them. */
export async function afterGrid<Module>(load: () => Promise<Module>): Promise<Module> {
  if (screen.peek() === 'photos') await gridIsThere()
  return load()
}

function gridIsThere(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      // Later, because an effect can't end itself the first time.
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
