import { useSignal } from '@preact/signals'
import { Download, Play } from 'lucide'
import { type ComponentChildren, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { watchKeys } from '../base/keys.ts'
import { language } from '../base/text.ts'
import { Icon } from '../parts/icon.tsx'
import { link } from '../text/link.ts'
import { Add } from './add.tsx'
import { begin, Looked } from './look.tsx'
import { about, addressOf, files, open, sendPassword, state, watchAddress } from './shared.ts'
import { Wall } from './wall.tsx'

document.documentElement.lang = language.value
watchAddress()
watchKeys()
void open()
render(<App />, document.getElementById('app')!)

function App() {
  const words = link()
  const title = about.value?.title ?? words.title
  useEffect(() => {
    document.title = title
  }, [title])
  const is = state.value
  // Only the first time: later, what is there stays while it is asked for again.
  if (is === 'loading' && !about.value) return null
  if (is === 'password') return <Password />
  if (is === 'gone') return <Alone title={words.gone}>{words.goneHint}</Alone>
  if (is === 'lost') {
    return (
      <Alone title={words.lost}>
        <button type="button" class="btn" onClick={() => void open()}>
          {words.retry}
        </button>
      </Alone>
    )
  }
  return (
    <>
      <Head title={title} />
      <main>{files.value.length > 0 ? <Wall /> : <p class="head muted">{words.none}</p>}</main>
      <Looked />
    </>
  )
}

function Alone({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="alone-here">
      <h1>{title}</h1>
      <div class="muted">{children}</div>
    </main>
  )
}

function Head({ title }: { title: string }) {
  const words = link()
  const { total, downloads, may_upload } = about.value!
  return (
    <header class="head">
      <h1>{title}</h1>
      <p class="muted num">{words.count(total)}</p>
      <div class="btns">
        {total > 0 && (
          <button type="button" class="btn" onClick={begin}>
            <Icon of={Play} />
            {words.slideshow}
          </button>
        )}
        {total > 0 && downloads !== 'none' && (
          <a class="btn" href={addressOf('archive')} download="">
            <Icon of={Download} />
            {words.saveAll}
          </a>
        )}
        {may_upload && <Add />}
      </div>
    </header>
  )
}

function Password() {
  const words = link()
  const password = useSignal('')
  const complaint = useSignal('')
  const isBusy = useSignal(false)
  const submit = async () => {
    if (isBusy.peek()) return
    isBusy.value = true
    const status = await sendPassword(password.peek())
    isBusy.value = false
    if (status === 204 || status === 404) return void open()
    complaint.value = { 401: words.wrong, 429: words.wait }[status] ?? words.lost
  }
  return (
    <Alone title={words.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>{words.passwordHint}</p>
        <label class="field">
          <span>{words.password}</span>
          <input
            class="input"
            type="password"
            autocomplete="off"
            required
            autofocus
            value={password}
            onInput={({ currentTarget }) => {
              password.value = currentTarget.value
            }}
          />
        </label>
        <p class="complaint" role="alert">
          {complaint}
        </p>
        <button type="submit" class="btn primary" disabled={isBusy}>
          {words.open}
        </button>
      </form>
    </Alone>
  )
}
