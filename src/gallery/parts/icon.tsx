import type { IconNode } from 'lucide'
import { h } from 'preact'

/** A drawing of lucide, as large as CSS says; what it means has to stand beside it in words. */
export function Icon({ of, class: extra }: { of: IconNode; class?: string }) {
  return (
    <svg class={extra ? `icon ${extra}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
