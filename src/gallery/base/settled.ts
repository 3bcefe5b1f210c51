import { effect, signal } from '@preact/signals'
import { allDone, answered } from './api.ts'
import { floods, returns } from './returning.ts'
import { undone } from './undo/undo.ts'

/** Milliseconds without another change or undo before changes count as settled. */
const CALM = 500

/**
 * Counts the series of changes that have settled. Data that depends on changes made elsewhere reads
 * this signal where it loads, and so is reloaded once per series.
 */
export const settled = signal(0)

let isFirst = true
let timer: ReturnType<typeof setTimeout> | undefined

effect(() => {
  void [answered.value, undone.value, returns.value, floods.value]
  if (isFirst) {
    isFirst = false
    return
  }
  clearTimeout(timer)
  const own = setTimeout(async () => {
    // A change that is still under way counts when it is done.
    await allDone()
    if (own === timer) settled.value++
  }, CALM)
  timer = own
})
