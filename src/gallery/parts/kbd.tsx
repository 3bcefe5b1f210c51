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
