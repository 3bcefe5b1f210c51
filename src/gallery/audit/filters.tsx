import { api, ask } from '../base/api.ts'
import { date } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { allPages } from '../base/slices.ts'
import { locale } from '../base/text.ts'
import { audit as text } from '../text/audit.ts'

interface ChoiceProps {
  label: string
  value: string
  options: [value: string, name: string][]
  onPick(value: string): void
}

/** Chooses one of several values. */
export function Choice({ label, value, options, onPick }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        class="input"
        value={value}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Chooses whose entries are shown; without an id, everybody's. */
export function Who({ user, onPick }: { user: string; onPick(id: string): void }) {
  const words = text()
  const { data } = useResource((signal) =>
    allPages((query) => ask(api.GET('/api/v1/users', { params: { query }, signal }))),
  )
  const users = (data.value ?? [])
    .map(({ id, name }): [string, string] => [String(id), name])
    .sort(([, a], [, b]) => a.localeCompare(b, locale.value))
  // A deleted user has left entries behind.
  if (user !== '' && !users.some(([id]) => id === user)) {
    users.push([user, data.value ? words.userOf(user) : '…'])
  }
  return (
    <Choice
      label={words.who}
      value={user}
      options={[['', words.everybody], ...users]}
      onPick={onPick}
    />
  )
}

interface DayProps {
  label: string
  /** Such as `2026-11-23`; empty for any day. */
  value: string
  onPick(day: string): void
}

/** Chooses a day, and shows it in the page's language where the browser lets us. */
export function Day({ label, value, onPick }: DayProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input day-of"
        type="date"
        value={value}
        data-shown={value === '' ? text().anyDay : date(Date.parse(value) / 1000)}
        onChange={({ currentTarget }) => onPick(currentTarget.value)}
      />
    </label>
  )
}
