import type { Signal } from '@preact/signals'
import { Link, Share2 } from 'lucide'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ApiError } from '../base/error.ts'
import { number } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { useResource } from '../base/resource.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, Kbd } from '../parts/icon.tsx'
import { Switch } from '../parts/switch.tsx'
import { common } from '../text/common.ts'
import { links } from '../text/links.ts'
import { problem } from '../text/problem.ts'
import { sharing } from '../text/sharing.ts'
import { smart } from '../text/smart.ts'
import { Everybody, Folk, Picker } from './folk.tsx'
import { readShown } from './read.ts'
import { type Draft, isEmpty, isSharedAtFirst, listsOf } from './sight.ts'
import type { State, Subject } from './state.ts'
import { type Progress, type Sharing, useSharing } from './use-sharing.ts'
import { type Line, linesAfter, linesNow, listed } from './words.ts'

interface ShareDialogProps {
  of: Subject
  /** What was typed while the dialog was loading, and whether Enter was pressed. */
  typed: Signal<string>
  isEager: Signal<boolean>
  /** Makes a link for people without an account instead. */
  byLink(): void
  onClose(): void
  onShared?(ids: string[]): void
}

/** A dialog that chooses who sees something, and says in words who sees it now and who will. */
export function ShareDialog({ of, typed, isEager, byLink, onClose, onShared }: ShareDialogProps) {
  const own = useSharing({ of, typed, isEager, onClose, onShared })
  const { loaded, draft, whole, hasPictures, chosen, pending, reason, progress, add, enter } = own
  const input = useRef<HTMLInputElement>(null)
  useFocus(input, typed)
  const state = loaded.data.value
  const names = state ? newNames(state, whole.value) : []
  const isReady = state?.isMine === true && !isEmpty(whole.value) && progress.value === null
  return (
    <Dialog
      title={titleOf(of, state)}
      class="share"
      onClose={onClose}
      onSubmit={enter}
      footer={
        <Buttons
          names={names}
          isReady={isReady}
          byLink={mayLink(of, state) ? byLink : null}
          onClose={onClose}
        />
      }
    >
      <Thumbs of={of} count={state?.pictures?.all ?? ('files' in of ? of.files.count : 0)} />
      {state && !state.isMine ? (
        <NotMine state={state} />
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
              <Along state={state} sharing={own} />
            </Folk>
          )}
          <Sees state={state} draft={whole.value} hasPictures={hasPictures.value} />
        </>
      )}
      {!state && <NotLoaded error={loaded.error.value} reload={loaded.reload} />}
      <p class="complaint" role="alert">
        {reason}
      </p>
      <Meter progress={progress} />
    </Dialog>
  )
}

/** Focuses the box of names, and lets it keep the focus when a button is clicked while it has text. */
function useFocus(input: RefObject<HTMLInputElement | null>, typed: Signal<string>): void {
  useLayoutEffect(() => {
    input.current!.focus()
    const dialog = input.current!.closest('dialog')!
    // If the box lost the focus, the list of names would close and move the clicked element away.
    const holdFocus = (event: MouseEvent) => {
      const isPressed = (event.target as Element).closest('button, label')
      if (isPressed && typed.peek() !== '') event.preventDefault()
    }
    dialog.addEventListener('mousedown', holdFocus)
    return () => dialog.removeEventListener('mousedown', holdFocus)
  }, [])
}

interface ButtonsProps {
  /** The names of those who will see more. */
  names: string[]
  isReady: boolean
  byLink: (() => void) | null
  onClose(): void
}

/** Whether a link may show it: pictures of the caller, or an album that doesn't fill itself. */
function mayLink(of: Subject, state: State | undefined): boolean {
  if (!state) return false
  return 'files' in of ? state.isMine : 'pool_id' in of && !state.isSmart
}

function Buttons({ names, isReady, byLink, onClose }: ButtonsProps) {
  const words = sharing()
  return (
    <>
      {byLink && (
        <button type="button" class="btn quiet by-link" onClick={byLink}>
          <Icon of={Link} />
          {links().byLink}
        </button>
      )}
      <button type="button" class="btn" onClick={onClose}>
        {common().cancel} <Kbd of="Escape" />
      </button>
      <button type="submit" class="btn primary" disabled={!isReady}>
        <Icon of={Share2} />
        {names.length > 0 ? words.shareWith(listed(names)) : words.change} <Kbd of="Enter" />
      </button>
    </>
  )
}

function NotMine({ state }: { state: State }) {
  const words = sharing()
  return (
    <p>
      {state.kind === 'files'
        ? words.allOthers(state.pictures!.all)
        : words.notYours(state.creator)}
    </p>
  )
}

/** Switches for what is shared along: the pictures of a pool, those added later, and tags. */
function Along({ state, sharing: own }: { state: State; sharing: Sharing }) {
  const words = sharing()
  const { hasPictures, later, hasTags, hidden, whole } = own
  const isPool = state.kind === 'pool' && !state.isSmart
  const isThrough = isPool && (later.value ?? isSharedAtFirst(state))
  const count = hidden.value.length
  // What an album shares no longer goes with it: only new people can get its pictures by hand.
  const isNew = !state.sharesFiles || listsOf(whole.value).add.length > 0
  const ownLists = whole.value.isPublic !== null || (!isThrough && isNew)
  return (
    <>
      {isPool && (
        <One
          label={words.laterToo}
          hint={words.laterHint}
          isOn={isThrough}
          onChange={(next) => {
            later.value = next
          }}
        />
      )}
      {isPool && ownLists && (
        <One
          label={words.picturesToo(state.pictures!.all)}
          hint={words.later}
          isOn={hasPictures.value}
          onChange={(next) => {
            hasPictures.value = next
          }}
        />
      )}
      {count > 0 && (
        <One
          label={(state.kind === 'category' ? words.itsTagsToo : words.theirTagsToo)(count)}
          hint={words.hiddenSoFar}
          isOn={hasTags.value}
          onChange={(next) => {
            hasTags.value = next
          }}
        />
      )}
    </>
  )
}

interface OneProps {
  label: string
  hint: string
  isOn: boolean
  onChange(isOn: boolean): void
}

function One(props: OneProps) {
  return (
    <li>
      <Switch {...props} />
    </li>
  )
}

interface NotLoadedProps {
  error: ApiError | undefined
  reload(): Promise<void>
}

function NotLoaded({ error, reload }: NotLoadedProps) {
  if (!error) return null
  return (
    <p class="complaint" role="alert">
      {problem(error)}{' '}
      <button type="button" class="btn quiet" onClick={() => void reload()}>
        {sharing().retry}
      </button>
    </p>
  )
}

function Meter({ progress }: { progress: Signal<Progress | null> }) {
  if (!progress.value || progress.value.all === 0) return null
  const { done, all } = progress.value
  return (
    <progress
      class="meter"
      max={all}
      value={done}
      aria-label={sharing().progress(number(done), number(all))}
    />
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

/** Whether people lose the pictures of a pool that shares them. */
function isUnshared({ sharesFiles }: State, draft: Draft): boolean {
  return sharesFiles && (draft.sharesFiles === false || [...draft.rights.values()].includes('out'))
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
      {state && isUnshared(state, draft) && <p class="small note">{words.unshares}</p>}
      {state?.isSmart && <p class="small note">{smart().ownPart}</p>}
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
