import { Seg } from '../parts/seg.tsx'
import { people as text } from '../text/people.ts'
import type { Role } from './users.ts'

/** Chooses one of the three roles, and says what it means. */
export function RoleChoice({ role, onChange }: { role: Role; onChange(role: Role): void }) {
  const words = text()
  const { viewer, creator, admin } = words.roles
  return (
    <div class="role">
      <Seg
        label={words.role}
        value={role}
        options={{ viewer, creator, admin }}
        onChange={onChange}
      />
      <p class="muted small">{words.roleHints[role]}</p>
    </div>
  )
}
