import { effect } from '@preact/signals'
import { files } from '../grid/index.ts'
import { screen } from '../routes.ts'

/** How long is waited for a grid that doesn't come, in milliseconds. */
const PATIENCE = 1000

/** Loads something that the pictures come before; at once on a screen without them. */
export async function afterGrid<Module>(load: () => Promise<Module>): Promise<Module> {
  if (screen.peek() === 'photos') await gridIsThere()
  return load()
}

function gridIsThere(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      // Later, because an effect can't end itself the first time.
      if (files.total.value !== null) queueMicrotask(go)
    })
    const late = setTimeout(go, PATIENCE)
    function go(): void {
      stop()
      clearTimeout(late)
      resolve()
    }
  })
}
