import { useSignal } from '@preact/signals'
import { Download, Square } from 'lucide'
import { useRef } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { bytes, duration, number, when } from '../base/format.ts'
import { createPace } from '../base/pace.ts'
import { Icon } from '../parts/icon.tsx'
import { imports as text } from '../text/import.ts'
import { isLeftOut, leaveOut } from './choices.ts'
import { endImport, ending, type ImportState, imports, own } from './imports.ts'

/** How many are shown at first: on wide screens, and on phones. */
const [FEW, FEWER] = [7, 2]
const TAGS_AT_FIRST = 100

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

/** Shows the progress of the import under way, or the result of the last one. */
export function LastImport({ state }: { state: ImportState }) {
  const words = text()
  const { progress, dry_run: isTry } = state
  const isLost = imports.isLost.value
  const how = isLost || state.state === 'idle' ? 'failed' : state.state
  const isRunning = how === 'running'
  const { total = 0, imported = 0, skipped = 0, errors = 0 } = state.tallies ?? {}
  const done = imported + skipped + errors
  const pace = useRef(createPace())
  const speed = isRunning ? pace.current.note(done, Date.now()) : null
  return (
    <section class="card" aria-labelledby="last-import">
      <Head state={state} how={how} />
      <p class="big num">
        {number(done)} <span>{words.of(total)}</span>
      </p>
      <progress class="meter" aria-label={words.progress} max={Math.max(1, total)} value={done} />
      {isRunning && progress?.young && <p class="muted small">{words.young(progress.young)}</p>}
      {isRunning && progress?.type === 'file' && (
        <p class="muted small now">{words.now(progress.filename!)}</p>
      )}
      <WhyOver state={state} isLost={isLost} />
      <dl class="tally num">
        <Count of={imported} name={words.imported} />
        <Count of={skipped} name={words.skipped} />
        <Count of={errors} name={words.failed} isBad={errors > 0} />
        {speed !== null && speed > 0 && (
          <div>
            <dd>{duration((total - done) / speed)}</dd>
            <dt class="muted small">{words.toGo(Math.round(speed))}</dt>
          </div>
        )}
      </dl>
      {isTry && <Found state={state} />}
      {!isRunning && !isTry && imported > 0 && (
        <a class="link" href="/inbox">
          {words.review}
        </a>
      )}
    </section>
  )
}

interface HeadProps {
  state: ImportState
  how: Exclude<ImportState['state'], 'idle'>
}

function Head({ state: { by, started_at, dry_run: isTry }, how }: HeadProps) {
  const words = text()
  const isEnding = ending.value === started_at
  const { path, how: chosen } = (imports.ownStart.value === started_at && own.value) || {}
  return (
    <div class="line">
      <div class="rest">
        <h2 id="last-import">
          {(isTry ? words.tries : words.heads)[how]}
          {path && `: ${path}`}
        </h2>
        <p class="muted small num">
          {words.since(by!.name, when(started_at!))}
          {!isTry && chosen?.leave_sources && `; ${words.sourcesStay}`}
        </p>
      </div>
      {how === 'running' && (
        <button type="button" class="btn" disabled={isEnding} onClick={() => void endImport()}>
          <Icon of={Square} />
          {isEnding ? words.ending : words.end}
        </button>
      )}
    </div>
  )
}

function WhyOver({ state, isLost }: { state: ImportState; isLost: boolean }) {
  const words = text()
  const { progress, dry_run: isTry } = state
  if (isTry && (isLost || (state.state === 'failed' && progress?.type !== 'error'))) {
    return <p>{words.tryCutOff}</p>
  }
  if (isLost) return <p>{words.restarted}</p>
  if (progress?.type === 'error') return <p class="bad">{words.reason(progress.reason!)}</p>
  if (state.state === 'failed') return <p>{words.cutOff}</p>
  const by = progress?.type === 'done' && progress.reason?.replace(/^ended by /, '')
  return by ? <p>{words.endedBy(by)}</p> : null
}

function Found({ state: { progress } }: { state: ImportState }) {
  const words = text()
  const { types = [], bytes: size, here = 0 } = progress ?? {}
  if (size === undefined) return null
  return (
    <div class="num">
      {types.length > 0 && (
        <p>
          {types.map(({ mime_type, files }) => `${number(files)} ${shortOf(mime_type)}`).join(', ')}
          ; {bytes(size)}
        </p>
      )}
      {here > 0 && <p>{words.hereOrTwice(here)}</p>}
      <p class="muted small">{words.nothingChanged}</p>
    </div>
  )
}

/** Lists the tags that files would get; unticking one leaves it out of the next import. */
export function FoundTags({ state: { progress } }: { state: ImportState }) {
  const words = text()
  const shown = useSignal(TAGS_AT_FIRST)
  const {
    tags = [],
    more_tags = 0,
    new_tags = 0,
    unfit = [],
    tags_after,
    most_tags,
  } = progress ?? {}
  if (tags.length + unfit.length === 0) return null
  const left = tags.length - shown.value
  return (
    <section class="card" aria-labelledby="found-tags">
      <h2 id="found-tags">
        {words.tags} <span class="muted num">{words.newTags(new_tags)}</span>
      </h2>
      {typeof most_tags === 'number' &&
        typeof tags_after === 'number' &&
        tags_after > most_tags && <p class="bad">{words.tooManyTags(tags_after, most_tags)}</p>}
      <p class="muted small">{words.tagsHint}</p>
      <ul class="found-tags">
        {inOrder(tags)
          .slice(0, shown.value)
          .map((tag) => (
            <FoundTag key={JSON.stringify(tag.path)} tag={tag} />
          ))}
      </ul>
      {left > 0 && (
        <button
          type="button"
          class="btn quiet"
          onClick={() => {
            shown.value = tags.length
          }}
        >
          {words.more(left + more_tags)}
        </button>
      )}
      {left <= 0 && more_tags > 0 && <p class="muted small">{words.more(more_tags)}</p>}
      {unfit.length > 0 && <p class="muted small">{words.unfit(unfit.length)}</p>}
    </section>
  )
}

type PreviewedTag = NonNullable<Schemas['ImportEvent']['tags']>[number]

// A tree stays together, whatever is new in it.
function inOrder(tags: PreviewedTag[]): PreviewedTag[] {
  const key = ({ path }: PreviewedTag) => path.join('\0')
  return tags.toSorted((a, b) => key(a).localeCompare(key(b)))
}

function FoundTag({ tag: { path, name, files, is_new, above } }: { tag: PreviewedTag }) {
  const words = text()
  const out = isLeftOut(path)
  const hints = [
    is_new && words.isNew,
    name !== path.at(-1) && words.becomes(name),
    above === 'by_hand' && words.byHand,
  ].filter(Boolean)
  return (
    <li>
      <label class="line">
        <input
          type="checkbox"
          checked={out === null}
          disabled={out === 'above'}
          onChange={({ currentTarget }) => leaveOut(path, !currentTarget.checked)}
        />
        <span class="rest">
          {path.join(' / ')} <span class="muted small">{hints.join(', ')}</span>
        </span>
        <span class="muted small num">{number(files)}</span>
      </label>
    </li>
  )
}

function shortOf(type: string): string {
  return type.replace(/^.*\/(x-)?/, '').toUpperCase()
}

function Count({ of, name, isBad }: { of: number; name: string; isBad?: boolean }) {
  return (
    <div>
      <dd class={isBad ? 'bad' : undefined}>{number(of)}</dd>
      <dt class="muted small">{name}</dt>
    </div>
  )
}
