import type { Signal } from '@preact/signals'
import { Globe, Undo2, UserRound, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { hasKeys } from '../base/keys.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Face } from '../parts/face.tsx'
import { Icon, Kbd } from '../parts/icon.tsx'
import { Switch } from '../parts/switch.tsx'
import { Marked } from '../tag-box/index.ts'
import { common } from '../text/common.ts'
import { sharing } from '../text/sharing.ts'
import { type Draft, type Right, rightAfter, withRight } from './sight.ts'
import { type Found, findPeople, type Person, type State } from './state.ts'

interface FolkProps {
  state: State
  draft: Signal<Draft>
  /** The person that Enter would add. */
  pending: Person | null
  /** Called when the pending person was given a right. */
  onPick(): void
  children: ComponentChildren
}

/** Lists the people that see it by name, to be changed or removed. */
export function Folk({ state, draft, pending, onPick, children }: FolkProps) {
  const { rights } = draft.value
  const isListed = ({ id }: Person) => rights.has(id) || rightNow(state, id) !== undefined
  const isFirst = ({ id }: Person) => (rights.has(id) && rightNow(state, id) === undefined ? 0 : 1)
  const listed = state.people.filter((person) => person.id !== pending?.id && isListed(person))
  listed.sort((a, b) => isFirst(a) - isFirst(b))
  const set = (id: number, right: Right | 'out' | undefined) => {
    draft.value = withRight(draft.peek(), id, right)
  }
  return (
    <ul class="folk" aria-label={sharing().people}>
      {pending && (
        <One
          key={pending.id}
          person={pending}
          now={rightNow(state, pending.id) ?? null}
          wanted="view"
          isPending
          set={(right) => {
            set(pending.id, right)
            onPick()
          }}
        />
      )}
      {listed.map((person) => (
        <One
          key={person.id}
          person={person}
          now={rightNow(state, person.id)}
          wanted={rights.get(person.id)}
          set={(right) => set(person.id, right)}
        />
      ))}
      {children}
    </ul>
  )
}

/** Returns a person's current right; null if it differs by picture, undefined for none. */
function rightNow({ list, pictures }: State, id: number): Right | null | undefined {
  if (list) return list.entries.get(id)
  const { seen, edits } = pictures!.sights.get(id) ?? { seen: 0, edits: 0 }
  if (seen === 0) return undefined
  return edits === 0 ? 'view' : edits === seen ? 'edit' : null
}

interface OneProps {
  person: Person
  now: Right | null | undefined
  wanted: Right | 'out' | undefined
  isPending?: boolean
  set(right: Right | 'out' | undefined): void
}

function One({ person, now, wanted, isPending, set }: OneProps) {
  const words = sharing()
  const { id, name } = person
  const isOut = wanted === 'out'
  const right = isOut ? null : (wanted ?? now)
  const isNew = now === undefined
  const note =
    isPending && hasKeys.value ? words.newByEnter : isOut ? words.isOut : isNew ? words.isNew : null
  return (
    <li class={isOut ? 'out' : undefined}>
      <Face id={id} name={name} />
      <span class="rest">
        <span class="name">{name}</span> {note && <span class="link small">{note}</span>}
      </span>
      <fieldset class="seg">
        <legend class="hidden">{name}</legend>
        {(['view', 'edit'] as const).map((one) => (
          <label key={one}>
            {/* A click on the chosen one also counts: it sets that right on all pictures. */}
            <input
              type="radio"
              name={`right-${id}`}
              checked={right === one}
              onClick={() => set(one)}
            />
            <span>{words[one]}</span>
          </label>
        ))}
      </fieldset>
      {!isPending && (
        <button
          type="button"
          class="btn quiet icononly"
          aria-label={isOut ? words.keep(name) : words.takeOut(name)}
          onClick={() => set(isOut || isNew ? undefined : 'out')}
        >
          <Icon of={isOut ? Undo2 : X} />
        </button>
      )}
    </li>
  )
}

/** A switch for whether everybody may view it. */
export function Everybody({ state, draft }: { state: State; draft: Signal<Draft> }) {
  const words = sharing()
  const { isPublic } = draft.value
  const now = publicNow(state)
  const hint = isPublic === null && now === null ? words.perhapsSome : words.never
  return (
    <li>
      <Icon of={Globe} />
      <Switch
        label={words.everybody}
        hint={isPublic === false ? words.noMore : hint}
        isOn={isPublic ?? now ?? false}
        onChange={(wanted) => {
          draft.value = { ...draft.peek(), isPublic: wanted === now ? null : wanted }
        }}
      />
    </li>
  )
}

/** Returns whether everybody may view it now; null if that may differ by picture. */
function publicNow({ list, pictures }: State): boolean | null {
  if (list) return list.isPublic
  return pictures!.open.most === 0 ? false : null
}

interface PickerProps {
  /** Undefined before it is loaded. */
  state: State | undefined
  text: Signal<string>
  /** The person that Enter would add; null if nobody matches. */
  chosen: Signal<Person | null>
  input: { current: HTMLInputElement | null }
  onPick(person: Person): void
  onEnter(): void
}

/** Finds a person by name: Enter takes the first one and shares, Tab goes on. */
export function Picker({ state, text, chosen, input, onPick, onEnter }: PickerProps) {
  const words = sharing()
  const match = (typed: string) => (state && typed !== '' ? findPeople(state.people, typed) : [])
  const typed = text.value.trim()
  const isNobody = state && typed !== '' && match(typed).length === 0
  return (
    <div class="who">
      <div class="combo">
        <Icon of={UserRound} />
        <Combobox<Found>
          label={common().shareWith}
          placeholder={state?.people.length === 0 ? words.nobodyElse : common().shareWith}
          text={text}
          input={input}
          match={match}
          keyOf={({ person }) => String(person.id)}
          show={({ person, parts }) => (
            <>
              <Face {...person} />
              <Marked name={person.name} parts={parts} />
              <span class="n">{state && seesNow(state, person.id)}</span>
              {chosen.value?.id === person.id && <Kbd of="Enter" />}
            </>
          )}
          onChosen={(found) => {
            chosen.value = found?.person ?? null
          }}
          onPick={({ person }) => {
            onPick(person)
            input.current?.focus()
          }}
          onKey={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              onEnter()
              return true
            }
            if (event.key !== 'Tab' || event.shiftKey || !chosen.peek()) return false
            event.preventDefault()
            onPick(chosen.peek()!)
            return true
          }}
        />
      </div>
      {isNobody && (
        <p class="small muted" role="status">
          {words.nobodyNamed}
        </p>
      )}
    </div>
  )
}

function seesNow({ kind, list, pictures }: State, id: number): string {
  const words = sharing()
  const all = kind === 'files' ? pictures!.all : 1
  const isSeen = list && rightAfter(list, { rights: new Map(), isPublic: null }, id) !== null
  const seen = kind === 'files' ? (pictures!.sights.get(id)?.seen ?? 0) : Number(isSeen)
  return seen === 0 ? words.seesNone(all) : words.seesNow(seen, all)
}
