import { useEffect } from 'preact/hooks'
import { isPasswordWanted, isResumed, resume, session } from '../base/session.ts'
import { language } from '../base/text.ts'
import { complain } from '../base/toast.tsx'
import { isModalOpen } from '../parts/modal.tsx'
import { Notices } from '../parts/notices.tsx'
import { Layout } from './layout.tsx'
import { NewVersion } from './new-version.tsx'
import { PasswordInPlace } from './password.tsx'
import { SignIn } from './sign-in.tsx'

/** The whole page. */
export function App() {
  useEffect(() => {
    document.documentElement.lang = language.value
  }, [language.value])
  useEffect(() => {
    resume().catch(complain)
  }, [])
  if (!isResumed.value) return null
  if (!session.value) {
    return (
      <>
        <SignIn />
        <Notices />
      </>
    )
  }
  return (
    <>
      <Layout />
      <NewVersion />
      {isPasswordWanted.value && <PasswordInPlace name={session.value.user.name} />}
      {!isModalOpen() && <Notices />}
    </>
  )
}
