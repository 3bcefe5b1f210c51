import { useSignal } from '@preact/signals'
import { RotateCcw, Trash2, X } from 'lucide'
import { api } from '../base/api.ts'
import { number } from '../base/format.ts'
import { useKeys } from '../base/keys/keys.ts'
import { MOST_FILES } from '../base/listing.ts'
import { complain, toast } from '../base/toast.tsx'
import { files, Grid, selection } from '../grid/index.ts'
import { Icon } from '../parts/icon.tsx'
import { Kbd } from '../parts/kbd.tsx'
import { trash as text } from '../text/trash.ts'
import { actOn } from './act-on.ts'
import { DeleteForGood } from './delete-for-good.tsx'

/** The trash: what is in it can be restored, or deleted for good. */
export function Trash() {
  const words = text()
  const total = files.total.value
  const count = selection.count.value
  /** How many files are asked about. */
  const asked = useSignal<number | null>(null)

  const restore = async () => {
    try {
      const { changed, skipped, operations } = await actOn(
        selection.batches(MOST_FILES),
        (file_ids) => api.POST('/api/v1/files/bulk/restore', { body: { file_ids } }),
        (ids) => files.forget(ids),
      )
      selection.clear()
      const operation = operations.length > 0 ? operations : null
      toast({ text: words.restored(changed, skipped), operation })
      if (skipped > 0) await files.refresh()
    } catch (error) {
      complain(error)
      await files.refresh().catch(complain)
    }
  }
  const deleteForGood = async () => {
    asked.value = null
    try {
      const { changed, skipped } = await actOn(
        selection.batches(MOST_FILES),
        (file_ids) => api.POST('/api/v1/files/bulk/permanent', { body: { file_ids } }),
        (ids) => files.forget(ids),
      )
      selection.clear()
      toast({ text: words.deleted(changed, skipped), kind: skipped > 0 ? 'info' : 'done' })
      if (skipped > 0) await files.refresh()
    } catch (error) {
      complain(error)
      await files.refresh().catch(complain)
    }
  }
  const ask = () => {
    if (selection.count.peek() > 0) asked.value = selection.count.peek()
  }
  useKeys('trash', {
    r: () => void (selection.count.peek() > 0 && restore()),
    Delete: ask,
  })

  return (
    <>
      <div class="bar">
        <h1>{words.trash}</h1>
        <span class="muted num rest">{total !== null && words.files(total)}</span>
        {total !== null && total > 0 && (
          <button
            type="button"
            class="btn"
            onClick={() => {
              selection.all()
              ask()
            }}
          >
            <Icon of={Trash2} />
            {words.empty}
          </button>
        )}
      </div>
      <Grid label={words.trash} empty={<p class="void">{words.isEmpty}</p>} />
      {count > 0 && (
        <div class="select worded" role="toolbar" aria-label={words.selection}>
          <b class="num">{words.selected(number(count))}</b>
          <button type="button" onClick={() => void restore()}>
            <Icon of={RotateCcw} />
            <span class="t">{words.restore}</span> <Kbd of="r" />
          </button>
          <button type="button" onClick={ask}>
            <Icon of={Trash2} />
            <span class="t">{words.deleteForGood}</span> <Kbd of="Delete" />
          </button>
          <button type="button" aria-label={words.clear} onClick={() => selection.clear()}>
            <Icon of={X} />
          </button>
        </div>
      )}
      {asked.value !== null && (
        <DeleteForGood
          count={asked.value}
          onClose={() => {
            asked.value = null
          }}
          onSure={() => void deleteForGood()}
        />
      )}
    </>
  )
}
