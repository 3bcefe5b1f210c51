import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { session } from '../base/session.ts'
import { firstHour } from '../base/settings/preferences.ts'
import { isFiltered } from '../filter/index.ts'
import { files } from '../grid/index.ts'
import { OnDemand } from '../parts/on-demand.tsx'
import { UploadButton } from './upload-button.tsx'

const changePassword = async () => (await import('../settings/index.tsx')).ChangePassword
const welcome = async () => (await import('../welcome/index.ts')).Welcome

/** Whether the first hour has begun and is not over. */
export function isGreeting(): boolean {
  return session.value!.user.is_admin && firstHour.value.startsWith('open')
}

/** Greets the admin of an empty library, and goes on with that while it fills. */
export function Greeting() {
  const isChanging = useSignal(false)
  const isEmpty = files.total.value === 0 && !isFiltered.value
  const { is_admin } = session.value!.user
  useEffect(() => {
    if (is_admin && isEmpty && firstHour.peek() === '') firstHour.value = 'open'
  }, [is_admin, isEmpty])
  if (!isGreeting() || isFiltered.value) return null
  return (
    <>
      <OnDemand
        load={welcome}
        upload={<UploadButton />}
        onChangePassword={() => {
          isChanging.value = true
        }}
      />
      {isChanging.value && (
        <OnDemand
          load={changePassword}
          onClose={() => {
            isChanging.value = false
          }}
        />
      )}
    </>
  )
}
