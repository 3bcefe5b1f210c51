import { computed, useSignal } from '@preact/signals'
import { RotateCcw, Trash2, X } from 'lucide'
import { useRef } from 'preact/hooks'
import { api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { number } from '../base/format.ts'
import { useKeys } from '../base/keys.ts'
import { filmOf } from '../base/pairs.ts'
import { useResource } from '../base/resource.ts'
import { type Change, Running, selectedTarget, takeOut } from '../bulk/index.ts'
import { files, Grid, selection } from '../grid/index.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, Kbd } from '../parts/icon.tsx'
import { complain } from '../parts/toast.tsx'
import type { Target } from '../tag-box/index.ts'
import { common } from '../text/common.ts'
import { trash as text } from '../text/trash.ts'

/** The screen of the trash, whose files can be restored or deleted for good. */
export function Trash() {
  const words = text()
  const total = files.total.value
  const { asked, ask } = useQuestion()
  useKeys('trash', {
    r: () => selection.count.peek() > 0 && restore(selectedTarget()),
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
      <Keeping />
      <Grid
        label={words.trash}
        empty={
          <div class="void">
            <h2>{words.isEmpty}</h2>
          </div>
        }
      />
      <SelectionBar ask={ask} />
      {asked.value !== null && (
        <DeleteForGood
          count={asked.value.count}
          pairs={asked.value.pairs}
          onClose={() => {
            asked.value = null
          }}
          onSure={() => {
            deleteForGood(asked.value!)
            asked.value = null
          }}
        />
      )}
    </>
  )
}

/** Says when what is in the trash goes; shows nothing for an empty one. */
function Keeping() {
  const words = text()
  const { data } = useResource((signal) => {
    // Asked again when the first file comes, or the last one is gone.
    void isFilled.value
    const query = { trash: true, limit: 1 }
    return ask(api.GET('/api/v1/files', { params: { query }, signal }))
  })
  const [file] = data.value?.items ?? []
  if (!file?.trashed_at) return null
  const { trashed_at, leaves_trash_at } = file
  const ms = leaves_trash_at && Date.parse(leaves_trash_at) - Date.parse(trashed_at)
  return <p class="muted small keeping">{ms ? words.goAfter(ms / 86_400_000) : words.stay}</p>
}

const isFilled = computed(() => (files.total.value ?? 0) > 0)

/** Returns the files that the open question is about, and a function that asks it. */
function useQuestion() {
  const asked = useSignal<(Target & { pairs: number }) | null>(null)
  const turn = useRef(0)
  const read = async () => {
    if (selection.count.peek() === 0) return
    const own = ++turn.current
    const chosen = selection.selected.peek()
    const target = selectedTarget()
    // Read when the question opens, because it doesn't cover files that are deleted after that.
    const { ids, locked } = await target.ids()
    // Nor does it cover an earlier selection whose ids were loaded late.
    if (own !== turn.current || chosen !== selection.selected.peek()) return
    const editable = ids.length - locked.length
    const others = new Set(locked)
    const pairs = ids.filter((id) => filmOf(id) && !others.has(id)).length
    if (editable > 0) asked.value = { ...target, count: editable, pairs }
    else if (ids.length > 0) complain(new ApiError(403, 'forbidden'))
  }
  const ask = () => {
    read().catch(complain)
  }
  return { asked, ask }
}

function SelectionBar({ ask }: { ask(): void }) {
  const words = text()
  const count = selection.count.value
  if (count === 0) return null
  return (
    <div class="select worded" role="toolbar" aria-label={words.selection}>
      <b class="num">{words.selected(number(count))}</b>
      <Running />
      <button type="button" onClick={() => restore(selectedTarget())}>
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
  )
}

function restore(target: Target): void {
  const words = text()
  change(target, {
    change: (file_ids, send) =>
      send(api.POST('/api/v1/files/bulk/restore', { body: { file_ids } })),
    done: words.restored,
    failed: words.notRestored,
  })
}

function deleteForGood(target: Target): void {
  const words = text()
  change(target, {
    change: (file_ids, send) =>
      send(api.POST('/api/v1/files/bulk/permanent', { body: { file_ids } })),
    done: words.deleted,
    failed: words.notDeleted,
    isFinal: true,
  })
}

function change(target: Target, wanted: Omit<Change, 'after'>): void {
  takeOut(target, wanted).catch((error) => {
    complain(error)
    files.refresh().catch(complain)
  })
}

/** Above this number of files, the user has to type it. */
const MANY = 20

interface DeleteForGoodProps {
  count: number
  /** How many of them have a film that goes along. */
  pairs: number
  onClose(): void
  onSure(): void
}

function DeleteForGood({ count, pairs, onClose, onSure }: DeleteForGoodProps) {
  const words = text()
  const typed = useSignal('')
  const isSure = count <= MANY || typed.value.replace(/\D/g, '') === String(count)
  return (
    <Dialog
      title={words.question(count)}
      role="alertdialog"
      onClose={onClose}
      onSubmit={() => isSure && onSure()}
      footer={
        <>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel} <Kbd of="Escape" />
          </button>
          <button type="submit" class="btn stop" disabled={!isSure}>
            <Icon of={Trash2} />
            {words.deleteFiles(count)}
          </button>
        </>
      }
    >
      {pairs > 0 && <p>{words.live(pairs, count)}</p>}
      <p>{words.warning}</p>
      {count > MANY && (
        <label class="field">
          {words.typeCount(number(count))}
          <input
            class="input"
            inputMode="numeric"
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
          />
        </label>
      )}
    </Dialog>
  )
}
