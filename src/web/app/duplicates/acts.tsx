import { ChevronLeft, ChevronRight, Ellipsis, Undo2 } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { Kbd } from '../parts/kbd.tsx'
import { Menu } from '../parts/menu.tsx'
import { common } from '../text/common.ts'
import { duplicates } from '../text/duplicates.ts'
import type { Queue } from './queue.ts'
import type { Side } from './sides.ts'

interface ActsProps {
  /** The side whose picture is marked as the one to keep. */
  keep: Side
  merge(side: Side): void
  queue: Queue
  undo(): void
}

/** What can be decided of a pair. */
export function Acts({ keep, merge, queue, undo }: ActsProps) {
  const words = duplicates()
  const face = (side: Side) => (side === keep ? 'btn primary' : 'btn')
  const others = [
    { text: words.keepBoth, key: 'k', act: queue.keepBoth },
    { text: words.trashBoth, key: 'x', act: queue.trashBoth },
    { text: words.later, key: 'l', act: queue.later },
    { text: common().undo, key: 'Ctrl+Z', act: undo, icon: Undo2 },
  ]
  return (
    <div class="acts">
      <button type="button" class={face('left')} onClick={() => merge('left')}>
        <Icon of={ChevronLeft} />
        <span>
          {words.keepLeft}
          <span class="long">{words.merge}</span>
        </span>
        <Kbd of="ArrowLeft" />
      </button>
      <div class="mid">
        {others.map(({ text, key, act, icon }) => (
          <button key={key} type="button" class={icon ? 'btn quiet' : 'btn'} onClick={act}>
            {icon && <Icon of={icon} />}
            {text} <Kbd of={key} />
          </button>
        ))}
      </div>
      <Menu label={words.more} class="btn icononly more" items={others}>
        <Icon of={Ellipsis} />
      </Menu>
      <button type="button" class={face('right')} onClick={() => merge('right')}>
        <span>
          {words.keepRight}
          <span class="long">{words.merge}</span>
        </span>
        <Kbd of="ArrowRight" />
        <Icon of={ChevronRight} />
      </button>
    </div>
  )
}
