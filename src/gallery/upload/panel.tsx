import { useComputed, useSignal } from '@preact/signals'
import { Check, ChevronDown, Pause, Play, RefreshCw, TriangleAlert, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { bytes, number } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { createPace } from '../base/pace.ts'
import { Icon } from '../parts/icon.tsx'
import { Switch } from '../parts/switch.tsx'
import { areTagsLoaded, tagsById } from '../tag-box/index.ts'
import { errors } from '../text/errors.ts'
import { problem } from '../text/problem.ts'
import { trash } from '../text/trash.ts'
import { upload as text } from '../text/upload.ts'
import { folderTags } from './choices.ts'
import { type Item, mayHelp } from './queue.ts'
import { restoreChosen } from './restore.ts'
import { type Summary, shownOf, summaryOf } from './summary.ts'
import {
  clearUploads,
  drawn,
  dropUpload,
  isPanelOpen,
  skipped,
  tagByFolders,
  uploads,
} from './uploads.ts'

/** More rows than anybody reads, and few enough to draw at once. */
const ROWS = 100

/** Shows the progress of the uploads; `picker` chooses the tags that all of them get. */
export function UploadPanel({ picker }: { picker?: ComponentChildren }) {
  const summary = useComputed(() => {
    void drawn.value
    return summaryOf(uploads.items)
  }).value
  const pace = usePace(summary)
  if (summary.total === 0 && skipped.value === 0) return null
  if (!isPanelOpen.value) return <Pill summary={summary} />
  const words = text()
  const { total, trashed, damaged } = summary
  const here = skipped.value + summary.here
  const isPaused = uploads.isPaused.value
  return (
    <section class="ups" aria-label={words.upload}>
      <header>
        <h2 class={isBad(summary) ? 'warn' : undefined}>
          {total > 0 ? headOf(summary) : words.upload}
        </h2>
        <span class="muted small num rest">{pace}</span>
        {summary.isActive && (
          <Tool
            label={isPaused ? words.goOn : words.pause}
            icon={isPaused ? Play : Pause}
            act={() => (isPaused ? uploads.goOn() : uploads.pause())}
          />
        )}
        <Tool
          label={words.close}
          icon={ChevronDown}
          act={() => {
            isPanelOpen.value = false
            if (!summary.isActive) skipped.value = 0
          }}
        />
      </header>
      <progress
        class="meter"
        aria-label={words.upload}
        value={summary.sent}
        max={summary.bytes || 1}
      />
      <div class="hidden" role="status">
        {!summary.isActive &&
          (isBad(summary) ? headOf(summary) : words.finished(summary.done - summary.here))}
      </div>
      {damaged > 0 && <p class="warn small">{words.damaged(damaged)}</p>}
      {here > 0 && <p class="muted small">{words.skipped(here)}</p>}
      {trashed > 0 && (
        <p class="line small">
          <span class="rest">{words.trashed(trashed)}</span>
          <button type="button" class="btn" onClick={() => void restoreChosen()}>
            {trash().restore}
          </button>
        </p>
      )}
      <ul>
        {shownOf(uploads.items, ROWS).map((item) => (
          <Row key={item.key} item={item} />
        ))}
        {total > ROWS && <li class="muted">{words.more(total - ROWS)}</li>}
      </ul>
      <footer>
        {picker}
        <FolderSwitch />
        {summary.failed > 0 && (
          <button type="button" class="btn" onClick={() => uploads.retry()}>
            <Icon of={RefreshCw} />
            {words.retryAll}
          </button>
        )}
        {!summary.isActive && (
          <button type="button" class="btn" onClick={clearUploads}>
            {words.clear}
          </button>
        )}
      </footer>
    </section>
  )
}

function isBad({ failed, refused }: Summary): boolean {
  return failed + refused > 0
}

/** Returns in one line how far the uploads are, and at the end what has become of them. */
function headOf(summary: Summary): string {
  const words = text()
  const { done, here, total, refused, failed, isActive, reading } = summary
  if (reading > 0) return words.reading(reading)
  if (!isActive && isBad(summary)) return words.outcome(done - here, refused, failed)
  return words.progress(number(done), number(total - refused))
}

function Pill({ summary }: { summary: Summary }) {
  const isWrong = isBad(summary)
  if (!summary.isActive && !isWrong) return null
  return (
    <button
      type="button"
      class={isWrong ? 'ups-pill bad' : 'ups-pill'}
      onClick={() => {
        isPanelOpen.value = true
      }}
    >
      <Icon of={isWrong ? TriangleAlert : RefreshCw} />
      {headOf(summary)}
    </button>
  )
}

function Row({ item }: { item: Item }) {
  // An item stays the same object when it changes.
  void drawn.value
  const { file, state, sent, here, alike, isDamaged } = item
  const words = text()
  const isRefused = state === 'failed' || state === 'refused'
  return (
    <li>
      {isRefused ? (
        <Icon of={TriangleAlert} class="warn" />
      ) : (
        <Picture file={item.file} stored={item.stored} />
      )}
      <span class="rest">
        <span class={isRefused ? 'warn' : undefined}>{file.name}</span>
        <span class="muted reason">
          {here ? (
            <a class="link" href={here.isInTrash ? '/trash' : `/f/${here.id}`}>
              {words.here(here.by)}
            </a>
          ) : (
            (reasonOf(item) ?? namesOf(new Set([...item.tags, ...folderTags.tagsOf(item)])))
          )}
        </span>
        {isDamaged && <span class="warn reason">{words.seemsDamaged}</span>}
        {alike && (
          <a class="link reason" href={`/f/${alike.id}`}>
            <img src={mediaUrl(alike.id, 'thumbnail', { v: alike.version })} alt="" />
            {words.alike(alike.name)}
          </a>
        )}
      </span>
      {state === 'sending' && (
        <progress class="meter" aria-label={file.name} value={sent} max={file.size || 1} />
      )}
      {state === 'done' && (
        <Icon of={isDamaged ? TriangleAlert : Check} class={isDamaged ? 'warn' : 'ok'} />
      )}
      {mayHelp(item) && (
        <Tool label={words.retry(file.name)} icon={RefreshCw} act={() => uploads.retry(item)} />
      )}
      {state !== 'done' && (
        <Tool label={words.drop(file.name)} icon={X} act={() => dropUpload(item)} />
      )}
    </li>
  )
}

function namesOf(tagIds: Iterable<string>): string {
  return [...tagIds].map((id) => tagsById.value.get(id)?.name ?? '').join(', ')
}

/** Returns in words why a file has not been uploaded; null if nothing is wrong. */
function reasonOf({ state, again, tries, error, file }: Item): string | null {
  if (!error) return state === 'failed' ? errors().ours : null
  const words = text()
  if (state === 'waiting' && again !== undefined) {
    return words.nextTry(tries + 1, Math.max(0, Math.round((again - Date.now()) / 1000)))
  }
  if (error.status === 400 && file.size === 0) return words.empty
  const { code, field } = error
  return words.reasons[`${code} ${field}`] ?? words.reasons[code] ?? problem(error)
}

/** Shows the file itself if the browser can, otherwise the server's thumbnail once it is there. */
function Picture({ file, stored }: Pick<Item, 'file' | 'stored'>) {
  const src = useSignal<string | null>(null)
  useEffect(() => {
    if (!file.type.startsWith('image/')) return
    const url = URL.createObjectURL(file)
    src.value = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  const shown = src.value ?? (stored && mediaUrl(stored.id, 'thumbnail', { v: stored.version }))
  if (!shown) return <span class="blank" />
  return (
    <img
      src={shown}
      alt=""
      loading="lazy"
      onError={() => {
        src.value = null
      }}
    />
  )
}

function Tool({
  label,
  icon,
  act,
}: {
  label: string
  icon: Parameters<typeof Icon>[0]['of']
  act(): void
}) {
  return (
    <button type="button" class="btn icononly quiet" aria-label={label} title={label} onClick={act}>
      <Icon of={icon} />
    </button>
  )
}

/** Returns the pace and the remaining time in words, updated each second. */
function usePace(summary: Summary): string {
  const now = useSignal(0)
  const pace = useRef(createPace())
  const shown = useRef('')
  const { isActive, reading } = summary
  useEffect(() => {
    if (!isActive) return
    pace.current = createPace()
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 1000)
    return () => clearInterval(timer)
  }, [isActive])
  const last = useRef(0)
  if (!isActive || reading > 0) return ''
  if (now.value !== last.current) {
    last.current = now.value
    const perSecond = pace.current.note(summary.sent, now.value)
    const left = perSecond ? (summary.bytes - summary.sent) / perSecond : null
    shown.current = perSecond ? text().pace(bytes(perSecond), left ?? 0) : ''
  }
  return shown.current
}

const SHOWN = 4

/** Whether files get tags named after the folders that they came from; nothing without folders. */
function FolderSwitch() {
  const words = text()
  const names = folderTags.names.value
  const unfit = folderTags.unfit.value
  const own = folderTags.own.value
  if (names.length === 0) return null
  return (
    <div class="batch">
      <Switch
        label={words.byFolders}
        hint={list(names)}
        isOn={folderTags.isOn.value}
        // The existing tags have to be loaded.
        isDisabled={!areTagsLoaded.value}
        onChange={(isOn) => void tagByFolders(isOn)}
      />
      {own.length > 0 && <p class="muted small">{words.ownTags(list(own))}</p>}
      {unfit.length > 0 && <p class="muted small">{words.noTags(list(unfit))}</p>}
    </div>
  )
}

function list(names: string[]): string {
  const shown = names.slice(0, SHOWN).join(', ')
  const left = names.length - SHOWN
  return left > 0 ? `${shown} ${text().more(left)}` : shown
}
