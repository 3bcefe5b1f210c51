import type { Signal } from '@preact/signals'
import { UserRound } from 'lucide'
import { Combobox } from '../parts/combobox/combobox.tsx'
import { Face } from '../parts/face.tsx'
import { Icon } from '../parts/icon.tsx'
import { Kbd } from '../parts/kbd.tsx'
import { Marked } from '../tagging/index.ts'
import { share } from '../text/share.ts'
import { sharing } from '../text/sharing.ts'
import { colorOfFace } from './folk.tsx'
import { type Found, findPeople } from './people.ts'
import { rightAfter } from './sight.ts'
import type { Person, State } from './state.ts'

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
          label={share().with}
          placeholder={state?.people.length === 0 ? words.nobodyElse : share().with}
          text={text}
          input={input}
          match={match}
          keyOf={({ person }) => String(person.id)}
          show={({ person, parts }) => (
            <>
              <Face name={person.name} color={colorOfFace(person.id)} />
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
