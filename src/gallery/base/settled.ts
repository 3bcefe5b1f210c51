import { effect, signal } from '@preact/signals'
import { allDone, answered } from './api.ts'
import { returns } from './returning.ts'
import { undone } from './undo/undo.ts'

/** How long nothing more may be changed, or taken back, until changes are over, in milliseconds. */
const CALM = 500

/**
 * How often changes that followed each other are over. What changes may have made other reads this
 * signal where it loads, to be loaded again then: once, however many there were.
 */
export const settled = signal(0)

let isFirst = true
let timer: ReturnType<typeof setTimeout> | undefined

effect(() => {
  void [answered.value, undone.value, returns.value]
  if (isFirst) {
    isFirst = false
    return
  }
  clearTimeout(timer)
  const own = setTimeout(async () => {
    // What is still asked for is told when it is done.
    await allDone()
    if (own === timer) settled.value++
  }, CALM)
  timer = own
})
