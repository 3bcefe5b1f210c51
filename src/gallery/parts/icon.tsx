import type { IconNode } from 'lucide'
import { h } from 'preact'

/** Shows a lucide icon in the size that CSS sets; text beside it has to say what it means. */
export function Icon({ of, class: extra }: { of: IconNode; class?: string }) {
  return (
    <svg class={extra ? `icon ${extra}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
