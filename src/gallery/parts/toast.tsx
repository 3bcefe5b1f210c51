import { signal } from '@preact/signals'
import { Check, Info, TriangleAlert, Undo2, WifiOff } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { allDone } from '../base/api.ts'
import { isLost, isReplaced, overdue } from '../base/connection.ts'
import { ApiError } from '../base/error.ts'
import type { Done } from '../base/undo/changes.ts'
import { changes, remember } from '../base/undo/undo.ts'
import { common } from '../text/common.ts'
import { problem } from '../text/problem.ts'
import { CloseButton } from './close-button.tsx'
import { Icon, Kbd } from './icon.tsx'
import { inRoom, isBad, type Line } from './toast-lines.ts'

interface ToastOptions extends Line {
  text: ComponentChildren
  /** The operation that can be undone, or all of them. */
  operation?: Done | null
  /** The name of the button that undoes it. */
  undo?: string | undefined
  action?: { text: string; act(): void }
}

interface Shown extends ToastOptions {
  id: number
}

/** How long a toast is shown, in milliseconds; longer while the pointer or the focus is on it. */
const TIME = 10_000

const shown = signal<Shown[]>([])
let last = 0

/** Shows a message at the window's edge. */
export function toast(options: ToastOptions): void {
  const { operation } = options
  if (operation) remember(operation)
  shown.value = inRoom([...shown.value, { ...options, id: ++last }])
}

/** Reports why something failed; `error` is what a call of `ask` threw, or a bug. */
export function complain(error: unknown): void {
  toast({ text: problem(error), kind: 'bad' })
}

/**
 * Reports why something could not be loaded, except for a lost connection, which is reported elsewhere.
 */
export function complainUnlessLost(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'no_connection') complain(error)
}

/** Undoes the last change, once it has completed, and says so. */
export async function undoLast(): Promise<void> {
  await takeBack(async () => {
    await allDone()
    return changes.last()
  })
}

async function takeBack(choose: () => Promise<Done | undefined>): Promise<void> {
  try {
    const unchanged = await changes.takeBack(async () => {
      const change = await choose()
      shown.value = shown.value.filter(({ operation }) => !operation || operation !== change)
      return change
    })
    if (unchanged === 0) toast({ text: common().undone })
    else if (unchanged !== null) toast({ text: common().undonePartly(unchanged), kind: 'info' })
  } catch (error) {
    complain(error)
  }
}

/** Whether an error is shown that nobody has closed. */
export function isComplaining(): boolean {
  return shown.value.some(isBad)
}

/** Renders the toasts, for the page's shell. */
function Toasts() {
  const lines = (chosen: Shown[]) => chosen.map((one) => <OneToast key={one.id} {...one} />)
  return (
    <div class="toasts">
      <div role="alert">{lines(shown.value.filter(isBad))}</div>
      <div role="status">{lines(shown.value.filter((one) => !isBad(one)))}</div>
    </div>
  )
}

const ICONS = { done: Check, info: Info, bad: TriangleAlert }

function OneToast({ id, text, operation, undo, action, kind = 'done' }: Shown) {
  const isHeld = useRef(false)
  const close = () => {
    shown.value = shown.value.filter((one) => one.id !== id)
  }
  useEffect(() => {
    if (kind === 'bad') return
    let left = TIME / 1000
    const timer = setInterval(() => {
      if (!isHeld.current && --left <= 0) close()
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  const hold = () => {
    isHeld.current = true
  }
  const release = () => {
    isHeld.current = false
  }
  return (
    <div
      class={kind === 'bad' ? 'toast bad' : 'toast'}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      <Icon of={ICONS[kind]} />
      <span class="rest">{text}</span>
      {action && (
        <button
          type="button"
          class="btn quiet"
          onClick={() => {
            close()
            action.act()
          }}
        >
          {action.text}
        </button>
      )}
      {operation && (
        <button type="button" class="btn quiet" onClick={() => takeBack(async () => operation)}>
          <Icon of={Undo2} />
          {undo ?? common().undo} <Kbd of="Ctrl+Z" />
        </button>
      )}
      {!operation && <CloseButton onClose={close} />}
    </div>
  )
}

/**
 * Shows the page's own messages: lost connection, late answers, and toasts. It is rendered in the
 * innermost modal, because nothing outside of that can be used.
 */
export function Notices() {
  return (
    <>
      <div class="lost" role="status">
        {isLost.value && <Banner />}
      </div>
      {overdue.value > 0 && !isLost.value && (
        <div class="overdue" role="progressbar" aria-live="polite" aria-label={common().overdue} />
      )}
      <Toasts />
    </>
  )
}

function Banner() {
  const words = common()
  return (
    <div class="banner">
      <Icon of={WifiOff} />
      <span class="rest">{isReplaced.value ? words.otherPage : words.noConnection}</span>
      {isReplaced.value && (
        <button type="button" class="btn" onClick={() => location.reload()}>
          {words.reload}
        </button>
      )}
    </div>
  )
}
