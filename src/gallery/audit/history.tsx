import { useSignal } from '@preact/signals'
import { api, ask } from '../base/api.ts'
import { useResource } from '../base/resource.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { complain } from '../parts/toast.tsx'
import { audit as text } from '../text/audit.ts'
import { problem } from '../text/problem.ts'
import { Done } from './deed.tsx'

/** Shows what was done to a file, the newest first, above its viewer. */
export function FileHistory({ id, onClose }: { id: string; onClose(): void }) {
  const words = text()
  const isBusy = useSignal(false)
  const ofPage = async (cursor?: number, signal?: AbortSignal) => {
    const params = { path: { file_id: id }, query: cursor === undefined ? {} : { cursor } }
    return ask(api.GET('/api/v1/files/{file_id}/history', { params, ...(signal && { signal }) }))
  }
  const loaded = useResource((signal) => ofPage(undefined, signal))
  const { data, error } = loaded
  const more = async (cursor: string) => {
    isBusy.value = true
    try {
      const next = await ofPage(Number(cursor))
      data.value = { ...next, items: [...data.value!.items, ...next.items] }
    } catch (reason) {
      complain(reason)
    }
    isBusy.value = false
  }
  return (
    <Dialog title={words.history} class="wide" onClose={onClose}>
      {error.value && <p role="alert">{problem(error.value)}</p>}
      <ul class="deeds" aria-busy={!data.value && !error.value}>
        {data.value?.items.map((entry) => (
          <li key={entry.id}>
            <Done entries={[entry]} />
          </li>
        ))}
      </ul>
      {data.value?.items.length === 0 && <p class="muted">{words.nothing}</p>}
      {data.value?.next_cursor && (
        <button
          type="button"
          class="btn"
          disabled={isBusy}
          onClick={() => void more(data.value!.next_cursor!)}
        >
          {words.older}
        </button>
      )}
    </Dialog>
  )
}
