import { useEffect } from 'preact/hooks'
import { isPasswordWanted, isResumed, session } from '../base/session.ts'
import { language } from '../base/text.ts'
import { isModalOpen } from '../parts/dialog/modal.tsx'
import { Notices } from '../parts/notices.tsx'
import { Layout } from './layout.tsx'
import { PasswordInPlace } from './password.tsx'
import { Reload } from './reload.tsx'
import { SignIn } from './sign-in.tsx'

export function App() {
  useEffect(() => {
    document.documentElement.lang = language.value
  }, [language.value])
  // Without a connection, resuming the session may take a while.
  if (!isResumed.value) return <Notices />
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
      <Reload />
      {isPasswordWanted.value && <PasswordInPlace name={session.value.user.name} />}
      {!isModalOpen() && <Notices />}
    </>
  )
}
