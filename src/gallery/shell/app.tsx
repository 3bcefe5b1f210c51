import { useEffect } from 'preact/hooks'
import { isPasswordWanted, isResumed, session } from '../base/session.ts'
import { language } from '../base/text.ts'
import { isModalOpen } from '../parts/dialog/modal.tsx'
import { Notices } from '../parts/notices.tsx'
import { Layout } from './layout.tsx'
import { PasswordInPlace } from './password.tsx'
import { Reload } from './reload.tsx'
import { SignIn } from './sign-in.tsx'

/** The whole page. */
export function App() {
  useEffect(() => {
    document.documentElement.lang = language.value
  }, [language.value])
  // Without a connection, it may take a while to know who is signed in.
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
