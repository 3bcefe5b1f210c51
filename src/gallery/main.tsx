import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { watchConnection } from './base/connection.ts'
import { watchDrops } from './base/drops.ts'
import { watchKeys } from './base/keys.ts'
import { applyPreferences } from './base/preferences.ts'
import { watchReturns } from './base/returning.ts'
import { isPasswordWanted, isResumed, resume, session } from './base/session.ts'
import { language } from './base/text.ts'
import { isModalOpen } from './parts/modals.ts'
import { OnDemand } from './parts/on-demand.tsx'
import { complain, Notices } from './parts/toast.tsx'
import { screen, watchAddress } from './routes.ts'
import { Layout, noScreen } from './shell/layout.tsx'
import { Reload } from './shell/reload.tsx'

const signIn = async () => (await import('./shell/sign-in.tsx')).SignIn
const passwordInPlace = async () => (await import('./shell/sign-in.tsx')).PasswordInPlace

applyPreferences()
watchAddress()
watchKeys()
watchConnection()
watchDrops()
watchReturns()
// Before rendering, because everything else waits for the session.
resume().catch(complain)
render(<App />, document.getElementById('app')!)

function App() {
  useEffect(() => {
    document.documentElement.lang = language.value
  }, [language.value])
  // Without a connection, resuming the session may take a while.
  if (!isResumed.value) return <Notices />
  if (!session.value) {
    return (
      <>
        {screen.value ? (
          <OnDemand load={signIn} />
        ) : (
          <main class="entrance">
            <OnDemand load={noScreen} />
          </main>
        )}
        <Notices />
      </>
    )
  }
  return (
    <>
      <Layout />
      <Reload />
      {isPasswordWanted.value && <OnDemand load={passwordInPlace} name={session.value.user.name} />}
      {!isModalOpen() && <Notices />}
    </>
  )
}
