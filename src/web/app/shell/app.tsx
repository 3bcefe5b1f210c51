import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { EVERYWHERE, useKeys } from '../base/keys.ts'
import { resume, session } from '../base/session.ts'
import { language } from '../base/text.ts'
import { complain, Toasts, undoLast } from '../base/toast.tsx'
import { SignIn } from './sign-in.tsx'

/** The whole page. */
export function App() {
  const isKnown = useSignal(false)
  useEffect(() => {
    document.documentElement.lang = language.value
  }, [language.value])
  useEffect(() => {
    resume()
      .catch(complain)
      .finally(() => {
        isKnown.value = true
      })
  }, [])
  useKeys(EVERYWHERE, { 'Ctrl+Z': () => void undoLast() })
  return (
    <>
      {isKnown.value && !session.value && <SignIn />}
      <Toasts />
    </>
  )
}
