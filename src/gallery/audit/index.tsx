import { useSignal } from '@preact/signals'
import { Redo2, Undo2 } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { ApiError } from '../base/error.ts'
import { number, when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { undone } from '../base/undo/undo.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { AdminsOnly, Unread } from '../parts/instead.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { go, query } from '../routes.ts'
import { audit as text } from '../text/audit.ts'
import { common } from '../text/common.ts'
import { problem } from '../text/problem.ts'
import { Done } from './deed.tsx'
import {
  type AuditFilter,
  auditHref,
  deedsOf,
  type Entry,
  isUndoable,
  isUndoEntry,
  queryOf,
  readFilter,
  undoneBy,
} from './entries.ts'
import { Choice, Day, Who } from './filters.tsx'
import { undoneOf } from './sentences.ts'

const PAGE = 100

/** The screen on which admins read what was done, and undo what can be undone. */
export function Audit() {
  return (
    <>
      <div class="bar">
        <h1>{text().title}</h1>
      </div>
      <AdminsOnly>
        <List />
      </AdminsOnly>
    </>
  )
}

type Page = Schemas['AuditLogOffsetPage']

function List() {
  const words = text()
  const loaded = useResource((signal) => {
    // An undo by a key shows here as well.
    void undone.value
    const filter = readFilter(query.value)
    return ask(api.GET('/api/v1/audit', { params: { query: queryOf(filter, PAGE) }, signal }))
  })
  const filter = readFilter(query.value)
  const page = loaded.data.value
  const reload = () => void loaded.reload()
  return (
    <div class="page audit" aria-busy={loaded.isLoading}>
      <Filters filter={filter} />
      <Unread error={loaded.error.value} retry={reload} />
      {page?.items.length === 0 && <p class="muted">{words.nothing}</p>}
      <Deeds page={page} reload={reload} />
      {page && page.total > 0 && <Pages page={page} filter={filter} />}
    </div>
  )
}

const endOf = ({ offset, items }: Page) => offset + items.length

interface DeedsProps {
  /** Undefined before it is loaded. */
  page: Page | undefined
  reload(): void
}

function Deeds({ page, reload }: DeedsProps) {
  const busy = useSignal<number | null>(null)
  const words = text()
  const deeds = deedsOf(page?.items ?? [])
  const taken = undoneBy(page?.items ?? [])
  const undo = async (operation: number, entries: readonly Entry[]) => {
    if (busy.value !== null) return
    busy.value = operation
    if (!(await undoDeed(operation, entries))) reload()
    busy.value = null
  }
  return (
    <ul class="deeds">
      {deeds.map((deed, place) => {
        const { operation, entries } = deed
        const isCut = place === deeds.length - 1 && endOf(page!) < page!.total
        const undone = undoneOf(deed, deeds)
        const isUndo = !undone?.isRedo && entries.some(isUndoEntry)
        return (
          <li key={entries[0]!.id}>
            <Done entries={entries} taken={undone} isCut={isCut && entries.length > 1} />
            {taken.has(operation) ? (
              <span class="muted small">{isUndo ? words.redone : common().undone}</span>
            ) : (
              isUndoable(deed, undone?.root) && (
                <button
                  type="button"
                  class="btn quiet"
                  disabled={busy.value !== null}
                  onClick={() => void undo(operation!, entries)}
                >
                  <Icon of={isUndo ? Redo2 : Undo2} />
                  {isUndo ? words.redo : common().undo}
                </button>
              )
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Undoes an operation, and shows the result; returns whether it succeeded. */
async function undoDeed(operation: number, entries: readonly Entry[]): Promise<boolean> {
  const words = text()
  try {
    const params = { path: { operation } }
    const { data } = await act(api.POST('/api/v1/operations/{operation}/undo', { params }))
    const { kept_total: unchanged } = data
    if (data.operation === null) toast({ text: words.nothingUndone, kind: 'bad' })
    else {
      const message = unchanged === 0 ? common().undone : common().undonePartly(unchanged)
      // An undo can't restore merged files.
      const isFinal = entries.some(({ action }) => action === 'file_merge')
      const operation = isFinal ? null : data.operation
      toast({ text: message, operation, kind: unchanged === 0 ? 'done' : 'info' })
    }
    undone.value = operation
    return true
  } catch (reason) {
    const isOver = reason instanceof ApiError && reason.status === 409
    if (isOver) toast({ text: words.notUndone, kind: 'bad' })
    else complain(reason)
    return false
  }
}

function Pages({ page, filter }: { page: Page; filter: AuditFilter }) {
  const words = text()
  const end = endOf(page)
  return (
    <nav class="line" aria-label={words.pages}>
      <span class="rest muted small num">
        {words.range(number(page.offset + 1), number(end), number(page.total))}
      </span>
      {filter.page > 1 && (
        <a class="btn" href={auditHref({ ...filter, page: filter.page - 1 })}>
          {words.newer}
        </a>
      )}
      {end < page.total && (
        <a class="btn" href={auditHref({ ...filter, page: filter.page + 1 })}>
          {words.older}
        </a>
      )}
    </nav>
  )
}

/** The filter is in the address. */
function Filters({ filter }: { filter: AuditFilter }) {
  const words = text()
  const change = (part: Partial<AuditFilter>) => go(auditHref({ ...filter, ...part, page: 1 }))
  const actions = new Map(Object.entries(words.actions))
  if (filter.action && !actions.has(filter.action)) actions.set(filter.action, filter.action)
  return (
    <div class="filters">
      <Who user={filter.user} onPick={(user) => change({ user })} />
      <Choice
        label={words.what}
        value={filter.action}
        options={[['', words.everything], ...actions]}
        onPick={(action) => change({ action })}
      />
      <Day label={words.from} value={filter.from} onPick={(from) => change({ from })} />
      <Day label={words.to} value={filter.to} onPick={(to) => change({ to })} />
    </div>
  )
}

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
            <Done entries={[entry]} isOfOne />
          </li>
        ))}
      </ul>
      {data.value?.through.map(({ pool, since }) => (
        <p key={pool?.id ?? since} class="muted">
          {words.through(pool?.name ?? null, when(since))}
        </p>
      ))}
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
