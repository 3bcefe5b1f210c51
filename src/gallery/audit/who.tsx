import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, ask } from '../base/api.ts'
import { useResource } from '../base/resource.ts'
import { allPages } from '../base/slices.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Marked } from '../tag-box/index.ts'
import { findTags, indexTags, type Match } from '../tag-box/match.ts'
import { audit as text } from '../text/audit.ts'

/** A user whose entries are shown; without an id, everybody. */
interface One {
  id: string
  name: string
}

const MOST = 50

interface WhoProps {
  /** The id of the user; empty for everybody. */
  user: string
  onPick(id: string): void
}

/** Chooses by name whose entries are shown; the chosen name stays in the text. */
export function Who({ user, onPick }: WhoProps) {
  const words = text()
  const users = useResource((signal) =>
    allPages((query) => ask(api.GET('/api/v1/users', { params: { query }, signal }))),
  )
  const typed = useSignal('')
  const index = useComputed(() => {
    const all = (users.data.value ?? []).map(({ id, name }) => ({ id: String(id), name }))
    return indexTags<One>(all, () => 0)
  })
  const everybody = { id: '', name: words.everybody }
  const known = [everybody, ...index.value.tags].find(({ id }) => id === user)
  // A deleted user has left entries behind.
  const chosen = known ?? { id: user, name: users.data.value ? words.userOf(user) : '…' }
  const show = () => {
    typed.value = chosen.name
  }
  useEffect(show, [chosen.name])
  const match = (wanted: string): Match<One>[] => {
    if (wanted === chosen.name) return []
    if (wanted !== '') return findTags(index.value, wanted, MOST)
    const others = [everybody, ...index.value.tags].filter(({ id }) => id !== user)
    return [chosen, ...others].map((tag) => ({ tag, parts: [] }))
  }
  return (
    <div class="field">
      <span aria-hidden="true">{words.who}</span>
      <div
        class="input"
        onFocusIn={() => {
          typed.value = ''
        }}
        onFocusOut={show}
      >
        <Combobox<Match<One>>
          label={words.who}
          placeholder={chosen.name}
          text={typed}
          match={match}
          keyOf={({ tag }) => tag.id}
          show={({ tag, parts }) => <Marked name={tag.name} parts={parts} />}
          onPick={({ tag }) => {
            typed.value = tag.name
            if (tag.id !== user) onPick(tag.id)
          }}
          opensEmpty
        />
      </div>
    </div>
  )
}
