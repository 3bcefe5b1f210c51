import { signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { readAccess } from '../base/access.ts'
import { api, ask } from '../base/api.ts'
import { duration, type Precision, when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { looksOnly, session } from '../base/session.ts'
import { hrefOfTag } from '../filter/index.ts'
import { Dot } from '../parts/chip.tsx'
import { DateInput } from '../parts/date-input.tsx'
import { colorOf } from '../tag-box/index.ts'
import { tagBox } from '../text/tag-box.ts'
import { viewer } from '../text/viewer.ts'
import {
  cameraOf,
  fileOf,
  inputOf,
  placeOf,
  precisionIn,
  standInOf,
  takenOf,
  timeOf,
} from './facts.ts'
import { PlaceLink } from './tools.tsx'
import { createUnsaved } from './unsaved.ts'

/** The id of the file whose history the shell shows; null for none. */
export const historyOf = signal<string | null>(null)

type File = Schemas['File']

interface DetailsProps {
  file: File
  mayEdit: boolean
  /** Whether the caller may change who sees it. */
  mayShare: boolean
  /** Whether the note is being edited; the key for it sets this. */
  isNoting: { value: boolean }
  /** Resolves to whether it is saved. */
  save(update: Schemas['FileUpdate']): Promise<boolean>
  /** Takes the picture and its film apart; undefined where there is none, or the caller may not do it. */
  takeApart: (() => void) | undefined
}

/** Shows the details of a file; its date and its notes can be changed in place. */
export function Details(props: DetailsProps) {
  const { file, mayEdit, mayShare, isNoting, save, takeApart } = props
  const words = viewer()
  const camera = cameraOf(file)
  const place = placeOf(file)
  const standIn = standInOf(file)
  return (
    <dl class="facts">
      <dt>{words.taken}</dt>
      <dd>
        <Taken key={file.id} file={file} mayEdit={mayEdit} save={save} />
      </dd>
      {camera && <Fact name={words.camera}>{camera}</Fact>}
      {file.duration !== null && <Fact name={words.length}>{duration(file.duration)}</Fact>}
      <Fact name={words.file}>{fileOf(file)}</Fact>
      {file.is_damaged && <Fact name={words.condition}>{words.damaged}</Fact>}
      {standIn && (
        <Fact name={words.preview}>
          {standIn === 'none' ? words.noPreview : words.smallPreview(standIn)}
        </Fact>
      )}
      {file.leaves_trash_at && <Fact name={words.leavesTrash}>{when(file.leaves_trash_at)}</Fact>}
      {place && (
        <>
          <dt>{words.place}</dt>
          <dd>
            <PlaceLink place={place} />
            {place.name !== place.position && <p class="muted small">{place.position}</p>}
          </dd>
        </>
      )}
      <dt>{words.seenBy}</dt>
      <dd>
        <SeenBy key={file.id} file={file} />
      </dd>
      {(mayEdit || file.notes !== null) && (
        <>
          <dt>{words.notes}</dt>
          <dd>
            <Notes key={file.id} file={file} mayEdit={mayEdit} isNoting={isNoting} save={save} />
          </dd>
        </>
      )}
      {takeApart && (
        <>
          <dt>{words.live}</dt>
          <dd>
            <button type="button" class="value" onClick={takeApart}>
              {words.takeApart}
            </button>
          </dd>
        </>
      )}
      {(mayEdit || mayShare) && (
        <>
          <dt>{words.past}</dt>
          <dd>
            <button
              type="button"
              class="value"
              onClick={() => {
                historyOf.value = file.id
              }}
            >
              {words.history}
            </button>
          </dd>
        </>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** A date that could not be saved; editing continues with it when it is opened again. */
const unsavedDates = createUnsaved()
const unsavedNotes = createUnsaved()

function Taken({ file, mayEdit, save }: Omit<DetailsProps, 'isNoting' | 'mayShare' | 'takeApart'>) {
  const edited = useSignal<string | null>(null)
  const isThere = useIsThere()
  const words = viewer()
  const shown = takenOf(file)
  const source = file.date_source
  const hint = source && <p class="muted small">{words.dateSources[source]}</p>
  if (!mayEdit) {
    return (
      <>
        {shown}
        {hint}
      </>
    )
  }
  if (edited.value === null) {
    return (
      <>
        <button
          type="button"
          class="value"
          title={words.changeDate}
          onClick={() => {
            edited.value = unsavedDates.get(file.id) ?? inputOf(file)
          }}
        >
          {shown}
        </button>
        {hint}
      </>
    )
  }
  const done = async (input: string) => {
    edited.value = null
    const store = unsavedDates.begin(file.id)
    const time = timeOf(input, file)
    const date_precision = precisionIn(input)
    // Browsers omit seconds that are 0.
    const isSame = date_precision === file.date_precision && time === timeOf(inputOf(file), file)
    if (!time || isSame) return
    if (await save({ content_datetime: time, date_precision })) return
    if (store(input) && isThere.current) edited.value = input
  }
  return <DateFields file={file} input={edited.value} done={(input) => void done(input)} />
}

/** The date of a file, and how much is known of it; `done` gets the value when the focus leaves both. */
function DateFields(props: { file: File; input: string; done(input: string): void }) {
  const { file, done } = props
  const value = useSignal(props.input)
  const kind = useSignal(precisionIn(props.input))
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  const setKind = (next: Precision, content_datetime: string) => {
    value.value = inputOf({ ...file, content_datetime }, next)
    kind.value = next
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its fields have the focus
    <div
      class="date"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) done(value.value)
      }}
      onKeyDown={(event) => {
        const field = event.target as HTMLElement
        if (event.key === 'Enter' && field instanceof HTMLInputElement) field.blur()
        if (event.key !== 'Escape') return
        // Otherwise the viewer would close as well.
        event.preventDefault()
        event.stopPropagation()
        setKind(file.date_precision, file.content_datetime)
        field.blur()
      }}
    >
      <DateInput
        value={value.value}
        precision={kind.value}
        inputRef={input}
        onValue={(next) => {
          value.value = next
        }}
        onPrecision={(next) => setKind(next, timeOf(value.value, file) ?? file.content_datetime)}
      />
    </div>
  )
}

function SeenBy({ file }: { file: File }) {
  const { user } = session.value!
  const isKnown = !file.is_public && (user.is_admin || user.id === file.creator_id)
  const words = viewer()
  // A file that was loaded again may have been shared meanwhile.
  const now = useSignal({ file, isKnown })
  if (now.peek().file !== file) now.value = { file, isKnown }
  const permissions = useResource(async (signal) => {
    const { file, isKnown } = now.value
    if (!isKnown) return []
    const path = { file_id: file.id }
    const params = { path, query: { limit: 1 } }
    const [list, { through }] = await Promise.all([
      readAccess('file', file.id, signal),
      ask(api.GET('/api/v1/files/{file_id}/history', { params, signal })),
    ])
    const names = list.filter((one) => one.can_view).map((one) => one.user_name)
    return [...names, ...through.map(({ pool }) => words.album(pool?.name ?? null))]
  })
  if (file.is_public) return <>{words.everybody}</>
  if (!isKnown) return <>{words.from(file.creator_name)}</>
  const shared = permissions.data.value
  if (!shared) return <>…</>
  const names = new Set([file.creator_name, ...shared])
  if (names.size === 1 && names.has(user.name)) return <>{words.onlyYou}</>
  return <>{[...names].join(', ')}</>
}

function useIsThere(): { readonly current: boolean } {
  const isThere = useRef(true)
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  return isThere
}

function Notes({ file, mayEdit, isNoting, save }: Omit<DetailsProps, 'mayShare' | 'takeApart'>) {
  const area = useRef<HTMLTextAreaElement>(null)
  const isThere = useIsThere()
  const words = viewer()
  const isOpen = isNoting.value
  useEffect(() => {
    if (!isOpen) return
    const element = area.current!
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
  }, [isOpen])
  if (!mayEdit) return <span class="notes">{file.notes}</span>
  if (!isOpen) {
    return (
      <button
        type="button"
        class={file.notes ? 'value notes' : 'value muted'}
        onClick={() => {
          isNoting.value = true
        }}
      >
        {file.notes ?? words.addNote} <kbd>N</kbd>
      </button>
    )
  }
  const done = async (text: string) => {
    isNoting.value = false
    const store = unsavedNotes.begin(file.id)
    if (text.trim() === (file.notes ?? '')) return
    if (await save({ notes: text.trim() || null })) return
    if (store(text) && isThere.current) isNoting.value = true
  }
  return (
    <textarea
      ref={area}
      rows={4}
      aria-label={words.notes}
      defaultValue={unsavedNotes.get(file.id) ?? file.notes ?? ''}
      onBlur={(event) => void done(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.ctrlKey) event.currentTarget.blur()
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        event.currentTarget.value = file.notes ?? ''
        event.currentTarget.blur()
      }}
    />
  )
}

/** Shows the tags of a file that the caller may not change, and the reason unless they only look. */
export function LockedTags({ file }: { file: Schemas['File'] }) {
  const { tags } = tagBox()
  if (looksOnly() && file.tags.length === 0) return null
  return (
    <section class="tagging" aria-label={tags}>
      <h2>{tags}</h2>
      {file.tags.length > 0 && (
        <div class="chips">
          {file.tags.map((tag) => (
            <a key={tag.id} class="chip" href={hrefOfTag(tag.id)}>
              <Dot color={colorOf(tag)} />
              {tag.name}
            </a>
          ))}
        </div>
      )}
      {!looksOnly() && <p class="muted small">{viewer().locked(file.creator_name)}</p>}
    </section>
  )
}
