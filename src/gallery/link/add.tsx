import { signal, useSignal } from '@preact/signals'
import { Images, Upload } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { stored } from '../base/preferences.ts'
import { Icon } from '../parts/icon.tsx'
import { link } from '../text/link.ts'
import { about, addressOf, HEADERS } from './shared.ts'

interface Sent {
  file: File
  /** Bytes that have left. */
  bytes: number
  /** The status of the answer; undefined before, 0 if there was none. */
  status?: number
}

const list = signal<Sent[]>([])
const isSending = signal(false)
/** How the guest is called, which this browser remembers. */
const guest = stored<string>('guest', (text) => text ?? '')

const hasFailed = ({ status }: Sent) => status !== undefined && status !== 204

/** Replaces an entry of the list. */
function note(file: File, change: Omit<Sent, 'file'>): void {
  list.value = list.peek().map((one) => (one.file === file ? { file, ...change } : one))
}

/** Sends what waits, one file after the other. */
async function send(): Promise<void> {
  if (isSending.peek()) return
  isSending.value = true
  const isWaiting = ({ status }: Sent) => status === undefined
  for (let next = list.peek().find(isWaiting); next; next = list.peek().find(isWaiting)) {
    const { file } = next
    const isLarge = file.size > about.peek()!.most_bytes
    const status = isLarge ? 413 : await post(file, (bytes) => note(file, { bytes }))
    note(file, { bytes: file.size, status })
  }
  isSending.value = false
}

/** Returns the status of the answer. By XMLHttpRequest, because fetch reports no progress. */
function post(file: File, onProgress: (bytes: number) => void): Promise<number> {
  const form = new FormData()
  form.set('name', guest.peek())
  form.set('modified', new Date(file.lastModified).toISOString())
  form.set('file', file, file.name)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', addressOf('files'))
    for (const [name, value] of Object.entries(HEADERS)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onloadend = () => resolve(request.status)
    request.send(form)
  })
}

/** A button that opens a dialog in which guests add files. */
export function Add() {
  const words = link()
  const isOpen = useSignal(false)
  const toggle = () => {
    isOpen.value = !isOpen.value
  }
  useEffect(() => {
    if (!isSending.value) return
    const warn = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isSending.value])
  return (
    <>
      <button type="button" class="btn primary" onClick={toggle}>
        <Icon of={Upload} />
        {isSending.value ? arrived() : words.add}
      </button>
      {isOpen.value && <AddDialog onClose={toggle} />}
    </>
  )
}

function arrived(): string {
  return link().arrived(list.value.filter(({ status }) => status === 204).length, list.value.length)
}

function AddDialog({ onClose }: { onClose(): void }) {
  const words = link()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    return () => element.close()
  }, [])
  const retry = () => {
    list.value = list.peek().map((one) => (hasFailed(one) ? { file: one.file, bytes: 0 } : one))
    void send()
  }
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-label={words.add}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="body">
        <h2>{words.add}</h2>
        <p class="muted small">{words.addHint}</p>
        <label class="field">
          <span>{words.yourName}</span>
          <input
            class="input"
            autocomplete="name"
            maxLength={64}
            value={guest}
            onInput={({ currentTarget }) => {
              guest.value = currentTarget.value
            }}
          />
        </label>
        <Choose isOff={guest.value.trim() === ''} />
        <p role="status">{list.value.length > 0 && arrived()}</p>
        <ul class="added">
          {list.value.map((one, index) => (
            <Line key={index} {...one} />
          ))}
        </ul>
        <div class="btns">
          {list.value.some(hasFailed) && !isSending.value && (
            <button type="button" class="btn" onClick={retry}>
              {words.retry}
            </button>
          )}
          <button type="button" class="btn" onClick={onClose}>
            {words.close}
          </button>
        </div>
      </div>
    </dialog>
  )
}

function Choose({ isOff }: { isOff: boolean }) {
  return (
    <label class="btn primary choose">
      <Icon of={Images} />
      {link().choose}
      <input
        class="hidden"
        type="file"
        accept="image/*,video/*"
        multiple
        disabled={isOff}
        onChange={({ currentTarget }) => {
          const chosen = [...currentTarget.files!].map((file) => ({ file, bytes: 0 }))
          list.value = [...list.peek(), ...chosen]
          // The same ones may be chosen again.
          currentTarget.value = ''
          void send()
        }}
      />
    </label>
  )
}

function Line({ file: { name, size }, bytes, status }: Sent) {
  const words = link()
  return (
    <li>
      <span class="rest">{name}</span>
      {status === undefined && (
        <progress max={size} value={bytes} aria-label={words.sending(name)} />
      )}
      {status === 204 && '✓'}
      {status !== undefined && status !== 204 && (
        <span class="bad">{words.reasons[status] ?? words.failedToSend}</span>
      )}
    </li>
  )
}
