import type { Keys } from '../../base/keys.ts'
import { show as showFile } from '../../grid/index.ts'
import { complain } from '../../parts/toast.tsx'
import { commit, type Move, moveTo, pickUp, reveal, selectedIds, show } from './arranger.ts'
import { boxesIn, placeInRow } from './hit.ts'
import { arranged, known, placeOfStep, type Step } from './order.ts'

/** Milliseconds after the last key, in case its release is missed. */
const PATIENCE = 2000

/** Keys pressed while Ctrl and Shift are held form one move. */
interface Moving {
  move: Move
  shown: readonly string[]
  /** Resolves the promise that the shown order waits for. */
  settle(): void
  settled: Promise<void>
}

interface Mover {
  keys: Keys
  /** Stores the unfinished move. */
  dispose(): void
}

/** Returns the keys that move a pool's selected files, or the focused one. */
export function createMover(pool: string): Mover {
  let moving: Moving | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let focused: string | undefined

  const begin = () => {
    focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('.cell a')
      ?.dataset.id
    const begun = pickUpChosen(pool, focused)
    if (begun) addEventListener('keyup', onRelease)
    return begun
  }
  const onRelease = ({ key }: KeyboardEvent) => {
    if (['Control', 'Meta', 'Shift'].includes(key)) end()
  }
  const end = () => {
    clearTimeout(timer)
    removeEventListener('keyup', onRelease)
    if (!moving) return
    const { move, shown, settle } = moving
    moving = null
    commit(move, shown).catch(complain).finally(settle)
  }
  const go = (placeFor: (chosen: ReadonlySet<string>) => number) => async () => {
    moving ??= begin()
    if (!moving) return
    clearTimeout(timer)
    timer = setTimeout(end, PATIENCE)
    const { chosen } = moving.move
    const move = moveTo(moving.move, placeFor(chosen))
    const next = arranged(known.ids, chosen, move.gap!)
    moving.move = move
    if (!next || next.every((id, at) => id === known.ids[at])) return
    moving.shown = next
    await show(next, moving.settled)
    const lead = focused && chosen.has(focused) ? focused : next.find((id) => chosen.has(id))!
    reveal(lead)
    if (focused) await showFile(focused, { hasFocus: true })
  }
  const step = (step: Step) => act(go((chosen) => placeOfStep(known.ids, chosen, step)))
  const row = (step: 1 | -1) => act(go((chosen) => placeByRow(chosen, step)))
  return {
    keys: {
      'Ctrl+Shift+ArrowLeft': step(-1),
      'Ctrl+Shift+ArrowRight': step(1),
      'Ctrl+Shift+ArrowUp': row(-1),
      'Ctrl+Shift+ArrowDown': row(1),
      'Ctrl+Shift+Home': step('start'),
      'Ctrl+Shift+End': step('end'),
    },
    dispose: end,
  }
}

/** Picks up the selected files, or else the focused one; returns null if there is none. */
function pickUpChosen(pool: string, focused: string | undefined): Moving | null {
  const selected = selectedIds()
  const chosen = selected.size > 0 || !focused ? selected : new Set([focused])
  if (chosen.size === 0) return null
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  return { move: pickUp(pool, chosen), shown: known.ids, settle, settled }
}

function placeByRow(chosen: ReadonlySet<string>, step: 1 | -1): number {
  const isChosen = (id: string) => chosen.has(id)
  const at = step === -1 ? known.ids.findIndex(isChosen) : known.ids.findLastIndex(isChosen)
  reveal(known.ids[at]!)
  const grid = document.querySelector('.grid')!
  return placeInRow(boxesIn(grid), at, step) ?? placeOfStep(known.ids, chosen, step)
}

function act(move: () => Promise<void>): () => void {
  return () => void move().catch(complain)
}
