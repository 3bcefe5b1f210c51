import { useSignal } from '@preact/signals'
import { History, KeyRound, Trash2 } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { ApiError } from '../base/error.ts'
import { session } from '../base/session.ts'
import { Dialog, Sure } from '../parts/dialog.tsx'
import { FilledBy } from '../parts/filled-by.tsx'
import { Icon } from '../parts/icon.tsx'
import { Switch } from '../parts/switch.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { people as text } from '../text/people.ts'
import { NewPassword } from './new-password.tsx'
import { RoleChoice } from './role.tsx'
import { changeRights, deleteUser, type Role, rightsOf, roleOf, type User } from './users.ts'

type Asked = 'password' | 'delete' | 'demote' | 'promote'

/** A dialog for a user's rights, with a new password and deletion. */
export function PersonDialog({ user, onClose }: { user: User; onClose(): void }) {
  const words = text()
  const asked = useSignal<Asked | null>(null)
  // The role that is asked about.
  const wanted = useSignal<Role>('admin')
  const isSelf = user.id === session.value!.user.id
  const ask = (what: Asked | null) => () => {
    asked.value = what
  }
  if (asked.value === 'password') return <NewPassword user={user} onClose={onClose} />
  if (asked.value === 'delete') {
    return (
      <Sure
        title={words.deleteQuestion(user.name)}
        text={
          <>
            {words.deleteWarning(user.name)}
            <FilledBy token={`u=${user.id}`} />
          </>
        }
        act={words.delete}
        onClose={ask(null)}
        onSure={() => {
          onClose()
          deleteUser(user).then(() => toast({ text: words.deleted(user.name) }), complain)
        }}
      />
    )
  }
  if (asked.value === 'demote' || asked.value === 'promote') {
    const isDemoted = asked.value === 'demote'
    return (
      <Sure
        title={isDemoted ? words.demoteQuestion : words.promoteQuestion(user.name)}
        text={isDemoted ? words.demoteWarning : words.roleHints.admin}
        act={isDemoted ? words.demote : words.promote}
        onClose={ask(null)}
        onSure={() => {
          asked.value = null
          void change(user, rightsOf(wanted.value))
        }}
      />
    )
  }
  return (
    <Dialog title={user.name} onClose={onClose}>
      <Rights
        user={user}
        isSelf={isSelf}
        ask={(role) => {
          wanted.value = role
          asked.value = role === 'admin' ? 'promote' : 'demote'
        }}
      />
      <div class="btns">
        <a class="btn" href={`/keep/audit?user=${user.id}`} onClick={onClose}>
          <Icon of={History} />
          {words.whatTheyDid}
        </a>
        {isSelf ? (
          <a class="btn" href="/settings" onClick={onClose}>
            <Icon of={KeyRound} />
            {words.ownPassword}
          </a>
        ) : (
          <OthersButtons ask={ask} />
        )}
      </div>
    </Dialog>
  )
}

function OthersButtons({ ask }: { ask(what: Asked): () => void }) {
  const words = text()
  return (
    <>
      <button type="button" class="btn" onClick={ask('password')}>
        <Icon of={KeyRound} />
        {words.newPassword}
      </button>
      <button type="button" class="btn warn" onClick={ask('delete')}>
        <Icon of={Trash2} />
        {words.delete}
      </button>
    </>
  )
}

interface RightsProps {
  user: User
  isSelf: boolean
  /** Asks whether somebody is to be an admin, or whether admins want another role for themselves. */
  ask(role: Role): void
}

function Rights({ user, isSelf, ask }: RightsProps) {
  const words = text()
  return (
    <div class="rights">
      <RoleChoice
        role={roleOf(user)}
        onChange={(role) => {
          if (role === 'admin' || (isSelf && user.is_admin)) ask(role)
          else void change(user, rightsOf(role))
        }}
      />
      <Switch
        label={words.isBlocked}
        hint={isSelf ? words.notOneself : words.isBlockedHint}
        isOn={user.is_blocked}
        isDisabled={isSelf}
        onChange={(is_blocked) => void change(user, { is_blocked })}
      />
    </div>
  )
}

/** Changes a user's rights; says that this can't be undone, or why it failed. */
async function change(user: User, rights: Schemas['UserUpdate']): Promise<void> {
  const words = text()
  try {
    await changeRights(user, rights)
    toast({ text: words.changed(user.name) })
  } catch (error) {
    // Users can't block themselves here, so a conflict concerns the other one.
    const isLast = error instanceof ApiError && error.status === 409
    if (isLast) toast({ text: words.lastAdmin, kind: 'bad' })
    else complain(error)
  }
}
