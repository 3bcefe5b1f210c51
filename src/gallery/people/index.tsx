import { useSignal } from '@preact/signals'
import { UserPlus } from 'lucide'
import { useEffect } from 'preact/hooks'
import { session } from '../base/session.ts'
import { Face } from '../parts/face.tsx'
import { FindField } from '../parts/find-field.tsx'
import { Icon } from '../parts/icon.tsx'
import { AdminsOnly, Unread } from '../parts/instead.tsx'
import { people as text } from '../text/people.ts'
import { Invite } from './invite.tsx'
import { PersonDialog } from './person.tsx'
import { roleOf, sorted, users } from './users.ts'

/** How many users are shown at a time; a search by name finds the others. */
const MOST = 100

/** The screen on which admins manage the users and their rights. */
export function People() {
  const words = text()
  const isInviting = useSignal(false)
  return (
    <>
      <div class="bar">
        <h1 class="rest">{words.title}</h1>
        {session.value!.user.is_admin && (
          <button
            type="button"
            class="btn primary"
            aria-label={words.add}
            onClick={() => {
              isInviting.value = true
            }}
          >
            <Icon of={UserPlus} />
            <span class="label-wide">{words.add}</span>
          </button>
        )}
      </div>
      <AdminsOnly>
        <List />
        {isInviting.value && (
          <Invite
            onClose={() => {
              isInviting.value = false
            }}
          />
        )}
      </AdminsOnly>
    </>
  )
}

function List() {
  const words = text()
  const typed = useSignal('')
  const openId = useSignal<number | null>(null)
  useEffect(() => {
    // Other admins may have changed them since.
    if (users.data.peek() || users.error.peek()) void users.reload()
  }, [])
  const all = sorted.value ?? []
  const wanted = typed.value.toLocaleLowerCase()
  const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const open = all.find(({ id }) => id === openId.value)
  return (
    <div class="page people">
      <Unread error={users.error.value} retry={() => void users.reload()} />
      {all.length > MOST && <FindField label={words.find} typed={typed} />}
      <ul class="card">
        {found.slice(0, MOST).map((user) => (
          <li key={user.id}>
            <button
              type="button"
              class="line"
              onClick={() => {
                openId.value = user.id
              }}
            >
              <Face id={user.id} name={user.name} />
              <span class="rest">
                {user.name}
                {user.id === session.value!.user.id && <span class="muted"> {words.you}</span>}
              </span>
              <span class={user.is_blocked ? 'bad small' : 'muted small'}>
                {words.roles[user.is_blocked ? 'blocked' : roleOf(user)]}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > MOST && <p class="muted small">{words.more(found.length - MOST)}</p>}
      {open && (
        <PersonDialog
          user={open}
          onClose={() => {
            openId.value = null
          }}
        />
      )}
    </div>
  )
}
