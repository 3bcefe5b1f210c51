import type { IconNode } from 'lucide'
import { h } from 'preact'
import { common } from '../text/common.ts'

const SIGNS: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
}

/** Shows a key as it is written on keyboards, by its name for `useKeys`, such as `Ctrl+Z`. */
export function Kbd({ of }: { of: string }) {
  // A plus at the end is the key itself.
  const parts = of.split(/\+(?=.)/)
  const named = parts.map((part) => SIGNS[part] ?? common().keyNames[part] ?? upper(part))
  return <kbd>{named.join(' ')}</kbd>
}

function upper(part: string): string {
  return part.length === 1 ? part.toUpperCase() : part
}

/** Shows a lucide icon in the size that CSS sets; text beside it has to say what it means. */
export function Icon({ of, class: extra }: { of: IconNode; class?: string }) {
  return (
    <svg class={extra ? `icon ${extra}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}

/** Shows the product's logo and name. */
export function Mark() {
  return (
    <span class="mark">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3 11 12 3l9 8v10H3z" />
        <path d="M8 21v-6l4-3 4 3v6" />
      </svg>
      Tagstead
    </span>
  )
}
