import type { Keys } from '../../base/keys/keys.ts'
import { complain } from '../../parts/toast.tsx'
import type { OpenFiles } from '../listing/files.ts'
import type { Selection } from '../selection.ts'
import type { View } from '../view.ts'
import type { Step } from './focus.ts'

/** The part of a screen that Page Up and Down scroll; the rest stays visible. */
const PAGE = 0.9

export function keysOf({
  files,
  view,
  selection,
}: {
  files: OpenFiles
  view: View
  selection: Selection
}): Keys {
  const { scroller } = view
  const step = (where: Step) => () => void view.step(where).catch(complain)
  const extend = (where: Step) => async () => {
    const id = view.focused.peek()
    const from = id === null ? null : files.positionOf(id)
    if (from !== null && selection.count.peek() === 0) selection.toggle([id!], from)
    const position = await view.step(where)
    if (position !== null) await selection.extend(position)
  }
  const extended = (where: Step) => () => void extend(where)().catch(complain)
  const page = (pages: number) => () => scroller.move(pages * PAGE * scroller.view().height)
  const end = (position: () => number) => () => void view.focus(position()).catch(complain)
  return {
    ArrowLeft: step('left'),
    ArrowRight: step('right'),
    ArrowUp: step('up'),
    ArrowDown: step('down'),
    Home: step('row-start'),
    End: step('row-end'),
    'Shift+ArrowLeft': extended('left'),
    'Shift+ArrowRight': extended('right'),
    'Shift+ArrowUp': extended('up'),
    'Shift+ArrowDown': extended('down'),
    'Ctrl+Home': end(() => 0),
    'Ctrl+End': end(() => Math.max(0, (files.shown.peek()?.blocks.end() ?? 1) - 1)),
    PageUp: page(-1),
    PageDown: page(1),
    'Shift+PageUp': () => view.month(-1),
    'Shift+PageDown': () => view.month(1),
    Space: () => {
      const id = view.focused.peek()
      const position = id === null ? null : files.positionOf(id)
      if (id !== null && position !== null) selection.toggle([id], position)
    },
    'Ctrl+A': () => selection.all(),
    Escape: () => selection.clear(),
  }
}
