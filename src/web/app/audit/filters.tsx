import { go } from '../routes.ts'
import { audit as text } from '../text/audit.ts'
import { type AuditFilter, auditHref } from './entries.ts'
import { Who } from './who.tsx'

/** Whose and which entries are shown, and of which days; the address says it. */
export function Filters({ filter }: { filter: AuditFilter }) {
  const words = text()
  const change = (part: Partial<AuditFilter>) => go(auditHref({ ...filter, ...part, page: 1 }))
  const actions = new Map(Object.entries(words.actions))
  if (filter.action && !actions.has(filter.action)) actions.set(filter.action, filter.action)
  const day = (part: 'from' | 'to', label: string) => (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type="date"
        value={filter[part]}
        onChange={({ currentTarget }) => change({ [part]: currentTarget.value })}
      />
    </label>
  )
  return (
    <div class="filters">
      <Who user={filter.user} onPick={(user) => change({ user })} />
      <label class="field">
        <span>{words.what}</span>
        <select
          class="input"
          value={filter.action}
          onChange={({ currentTarget }) => change({ action: currentTarget.value })}
        >
          <option value="">{words.everything}</option>
          {[...actions].map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {day('from', words.from)}
      {day('to', words.to)}
    </div>
  )
}
