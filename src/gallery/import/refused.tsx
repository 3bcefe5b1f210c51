import { useSignal } from '@preact/signals'
import { Download } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { number } from '../base/format.ts'
import { Icon } from '../parts/icon.tsx'
import { imports as text } from '../text/import.ts'
import type { ImportState } from './imports.ts'

/** How many are shown at first: on wide screens, and on phones. */
const [FEW, FEWER] = [7, 2]

/** Shows what was not imported, and why: failed files before those that were left in place. */
export function Refused({ state: { refused, tallies, dry_run: isTry } }: { state: ImportState }) {
  const words = text()
  const areAll = useSignal(false)
  const few = matchMedia('(max-width: 760px)').matches ? FEWER : FEW
  const total = (tallies?.skipped ?? 0) + (tallies?.errors ?? 0)
  const sorted = refused.toSorted(
    (a, b) => Number(b.status === 'error') - Number(a.status === 'error'),
  )
  const shown = areAll.value ? sorted : sorted.slice(0, few)
  const left = sorted.length - shown.length
  return (
    <section class="card" aria-labelledby="refused">
      <div class="line">
        <h2 class="rest" id="refused">
          {isTry ? words.wouldRefuse : words.refused} <span class="muted num">{number(total)}</span>
        </h2>
        <button type="button" class="btn quiet" onClick={() => save(sorted)}>
          <Icon of={Download} />
          {words.save}
        </button>
      </div>
      <ul class="refused-files">
        {shown.map(({ filename, status, reason }, place) => (
          <li key={place}>
            <span class={status === 'error' ? 'bad' : undefined}>{filename}</span>
            <span class="muted">{words.reason(reason)}</span>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button
          type="button"
          class="btn quiet"
          onClick={() => {
            areAll.value = true
          }}
        >
          {words.more(left)}
        </button>
      )}
      <p class="muted small">
        {words.stay} {total > refused.length && words.onlyLast(refused.length)}
      </p>
    </section>
  )
}

function save(refused: Schemas['RefusedEntry'][]): void {
  const words = text()
  const lines = refused.map(({ filename, reason }) => `${filename}\t${words.reason(reason)}\n`)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(lines, { type: 'text/plain' }))
  link.download = words.listName
  link.click()
  URL.revokeObjectURL(link.href)
}
