import { type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { Share2 } from 'lucide'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { number } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { useResource } from '../base/resource.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, Kbd } from '../parts/icon.tsx'

import { Switch } from '../parts/switch.tsx'
import { common } from '../text/common.ts'
import { problem } from '../text/problem.ts'
import { sharing } from '../text/sharing.ts'
import { Everybody, Folk, Picker } from './folk.tsx'
import { readShown, readState } from './read.ts'
import { send, tellShared } from './send.ts'
import { type Draft, isEmpty, withAdded } from './sight.ts'
import { findPeople, type Person, type State, type Subject } from './state.ts'

import { type Line, linesAfter, linesNow, listed } from './words.ts'

interface ShareDialogProps {
  of: Subject
  /** What was typed while the dialog was loading, and whether Enter was pressed. */
  typed: Signal<string>
  isEager: Signal<boolean>
  onClose(): void
  onShared?(ids: string[]): void
}

/** In pictures. */
interface Progress {
  done: number
  all: number
}

/** A dialog that chooses who sees something, and says in words who sees it now and who will. */
export function ShareDialog({ of, typed, isEager, onClose, onShared }: ShareDialogProps) {
  const words = sharing()
  const draft = useSignal<Draft>({ rights: new Map(), isPublic: null })
  const hasPictures = useSignal(true)
  const chosen = useSignal<Person | null>(null)
  const reason = useSignal<string | null>(null)
  const progress = useSignal<Progress | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const stopping = useMemo(() => new AbortController(), [])
  const loaded = useResource((signal) => readState(of, signal))
  const state = loaded.data.value
  useLayoutEffect(() => {
    input.current!.focus()
    const dialog = input.current!.closest('dialog')!
    // If the box lost the focus, the list of names would close and move the clicked element away.
    const keepFocus = (event: MouseEvent) => {
      const isPressed = (event.target as Element).closest('button, label')
      if (isPressed && typed.peek() !== '') event.preventDefault()
    }
    dialog.addEventListener('mousedown', keepFocus)
    return () => dialog.removeEventListener('mousedown', keepFocus)
  }, [])
  useEffect(() => () => stopping.abort(), [stopping])

  const pending = useComputed(() => {
    const person = typed.value.trim() === '' ? null : chosen.value
    return person && withAdded(draft.value, person.id) !== draft.value ? person : null
  })
  const whole = useComputed(() =>
    pending.value ? withAdded(draft.value, pending.value.id) : draft.value,
  )
  const add = (person: Person) => {
    draft.value = withAdded(draft.peek(), person.id)
    typed.value = ''
  }
  const submit = async () => {
    const now = loaded.data.peek()
    if (progress.peek() || !now?.isMine || isEmpty(draft.peek())) return
    reason.value = null
    const all = now.pictures?.all ?? 0
    progress.value = { done: 0, all }
    const outcome = await send(of, now, draft.peek(), {
      hasPictures: hasPictures.peek(),
      signal: stopping.signal,
      onProgress: (done) => {
        progress.value = { done, all }
      },
    })
    progress.value = null
    if (outcome.error !== undefined) {
      const why = problem(outcome.error)
      const { done, ids } = outcome
      reason.value = done > 0 ? words.partly(number(done), number(ids.length), why) : why
      await loaded.reload()
    } else {
      onClose()
      void tellShared(of, draft.peek(), outcome)
    }
    if (outcome.done > 0 || !('files' in of)) onShared?.(outcome.ids)
  }
  // After an early Enter, waits until the people are loaded.
  const enter = () => {
    isEager.value = true
  }
  useSignalEffect(() => {
    const now = loaded.data.value
    if (!isEager.value || !now) return
    isEager.value = false
    const text = typed.peek().trim()
    const first = text === '' ? null : findPeople(now.people, text)[0]
    if (text !== '' && !first) return
    if (first) add(chosen.peek() ?? first.person)
    void submit()
  })

  const names = state ? newNames(state, whole.value) : []
  const isReady = state?.isMine === true && !isEmpty(whole.value)
  return (
    <Dialog
      title={titleOf(of, state)}
      class="share"
      onClose={onClose}
      onSubmit={enter}
      footer={
        <>
          <p class="small muted rest">{words.noUndo}</p>
          <button type="button" class="btn" onClick={onClose}>
            {common().cancel} <Kbd of="Escape" />
          </button>
          <button type="submit" class="btn primary" disabled={!isReady || progress.value !== null}>
            <Icon of={Share2} />
            {names.length > 0 ? words.shareWith(listed(names)) : words.change} <Kbd of="Enter" />
          </button>
        </>
      }
    >
      <Thumbs of={of} count={state?.pictures?.all ?? ('files' in of ? of.files.count : 0)} />
      {state && !state.isMine ? (
        <p>
          {state.kind === 'files'
            ? words.allOthers(state.pictures!.all)
            : words.notYours(state.creator)}
        </p>
      ) : (
        <>
          <Picker
            state={state}
            text={typed}
            chosen={chosen}
            input={input}
            onPick={add}
            onEnter={enter}
          />
          {state && (
            <Folk
              state={state}
              draft={draft}
              pending={pending.value}
              onPick={() => {
                typed.value = ''
                input.current?.focus()
              }}
            >
              <Everybody state={state} draft={draft} />
              {state.kind === 'pool' && (
                <li>
                  <Switch
                    label={words.picturesToo(state.pictures!.all)}
                    hint={words.later}
                    isOn={hasPictures.value}
                    onChange={(isOn) => {
                      hasPictures.value = isOn
                    }}
                  />
                </li>
              )}
            </Folk>
          )}
          <Sees state={state} draft={whole.value} hasPictures={hasPictures.value} />
        </>
      )}
      {loaded.error.value && !state && (
        <p class="complaint" role="alert">
          {problem(loaded.error.value)}{' '}
          <button type="button" class="btn quiet" onClick={() => void loaded.reload()}>
            {words.retry}
          </button>
        </p>
      )}
      <p class="complaint" role="alert">
        {reason}
      </p>
      {progress.value && progress.value.all > 0 && (
        <progress
          class="meter"
          max={progress.value.all}
          value={progress.value.done}
          aria-label={words.progress(number(progress.value.done), number(progress.value.all))}
        />
      )}
    </Dialog>
  )
}

function titleOf(of: Subject, state: State | undefined): string {
  const words = sharing()
  if ('files' in of)
    return of.files.count === 1 ? words.titleOf.file() : words.title(of.files.count)
  const name = state?.name ?? '…'
  if ('pool_id' in of) return words.titleOf.pool(name)
  return 'tag_id' in of ? words.titleOf.tag(name) : words.titleOf.category(name)
}

/** Returns the names of those that a draft shares with; none if it only takes rights away. */
function newNames({ people }: State, { rights }: Draft): string[] {
  return people.flatMap(({ id, name }) => ((rights.get(id) ?? 'out') === 'out' ? [] : [name]))
}

interface SeesProps {
  /** Undefined before it is loaded. */
  state: State | undefined
  draft: Draft
  hasPictures: boolean
}

function Sees({ state, draft, hasPictures }: SeesProps) {
  const words = sharing()
  const now = state ? linesNow(state).map((text) => ({ text, isNew: false })) : []
  const hasOthers = state?.pictures ? state.pictures.all > state.pictures.own : false
  return (
    <div>
      <div class="sees" aria-live="polite">
        <div>
          <h3>{words.now}</h3>
          {state ? <Lines of={now} /> : <p>…</p>}
        </div>
        <div class="after">
          <h3>{words.after}</h3>
          {state && <Lines of={isEmpty(draft) ? [] : linesAfter(state, draft, hasPictures)} />}
        </div>
      </div>
      <p class="small muted note">{hasOthers ? words.notCounted : words.adminsToo}</p>
    </div>
  )
}

function Lines({ of }: { of: Line[] }) {
  return of.map(({ text, isNew }) => <p key={text}>{isNew ? <b>{text}</b> : text}</p>)
}

/** How many thumbnails have room, and on phones. */
const ROOM = { wide: 9, narrow: 6 }

function Thumbs({ of, count }: { of: Subject; count: number }) {
  const shown = useResource((signal) => readShown(of, signal))
  if ('tag_id' in of || 'category_id' in of) return null
  const pictures = shown.data.value ?? []
  return (
    <div class="thumbs" aria-hidden="true">
      {(['wide', 'narrow'] as const).map((room) => {
        const isAll = count <= ROOM[room]
        const first = pictures.slice(0, isAll ? count : ROOM[room] - 1)
        return (
          <div key={room} class={room}>
            {first.map(({ id, v }) => (
              <img key={id} alt="" src={mediaUrl(id, 'thumbnail', v === undefined ? {} : { v })} />
            ))}
            {!isAll && <span class="num">+{number(count - first.length)}</span>}
          </div>
        )
      })}
    </div>
  )
}
