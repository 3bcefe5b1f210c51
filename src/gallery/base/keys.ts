import { signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { singleKeys } from './preferences.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Returns the name of the key that was pressed, with its modifiers: `Ctrl+Shift+ArrowUp`, `t`, `?`,
 * `Space`. The Mac's command key counts as Ctrl. Shift is included for letters and for keys that write
 * nothing; other characters need it on some keyboards only, or Alt, perhaps with Ctrl, as `[` does on a German one.
 */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const name = key === ' ' ? 'Space' : key
  const isCharacter = [...name].length === 1
  const isLetter = isCharacter && name.toLowerCase() !== name.toUpperCase()
  if (altKey && isCharacter && !isLetter && !/[\d ]/.test(name)) return name
  const parts = [
    (ctrlKey || metaKey) && 'Ctrl',
    altKey && 'Alt',
    shiftKey && (isLetter || !isCharacter) && 'Shift',
    isLetter ? letter(name, ctrlKey || metaKey || altKey || shiftKey) : name,
  ]
  return parts.filter(Boolean).join('+')
}

/** A letter is lower case alone and upper case after a modifier, as is usual in print. */
function letter(name: string, isModified: boolean): string {
  return isModified ? name.toUpperCase() : name.toLowerCase()
}

/** Whether there is a keyboard: phones have neither that nor a mouse, until a key is pressed. */
export const hasKeys = signal(
  !globalThis.matchMedia?.('(hover: none) and (pointer: coarse)').matches,
)

/** Shows keys in buttons, or hides them. */
function showKeys(isShown: boolean): void {
  document.documentElement.toggleAttribute('data-keys', isShown)
}

/** Whether a key writes a character into a text. */
export function isSingle(key: string): boolean {
  if (key.startsWith('Ctrl+') || key.startsWith('Alt+')) return false
  const own = key.replace(/^Shift\+/, '')
  return own === 'Space' || [...own].length === 1
}

/** Whether a key repeats while it is held: it moves, and changes nothing. */
export function isHeldOn(key: string): boolean {
  return /(^|\+)(Arrow\w+|Page\w+|[+-])$/.test(key)
}

/** What keys do, by their names: `Ctrl+A`, `t`, `Shift+ArrowDown`, `?`. */
export type Keys = Record<string, (event: KeyboardEvent) => void>

interface Scope {
  name: string
  keys: Keys
  /** Scopes that were entered later are further inside. */
  entered: number
  isModal: boolean
}

/** The scope whose keys work wherever no other scope has them, even in dialogs. */
export const EVERYWHERE = 'everywhere'

const scopes = new Set<Scope>()
let entered = 0

/**
 * Registers keys while the component is mounted. If two scopes have a key, the one that was mounted
 * later wins. Keys are ignored while the user types; a key that changes something is not repeated while
 * it is held. The feature's words describe each key in `keys`, under the same name. With `isModal`, as
 * in dialogs, other keys do nothing, except for those of `everywhere`.
 */
export function useKeys(name: string, keys: Keys, { isModal = false } = {}): void {
  // Components are created from the outside in, but their effects run from the inside out.
  const scope = useMemo<Scope>(() => ({ name, keys, entered: entered++, isModal }), [name, isModal])
  scope.keys = keys
  // Before painting, so that no key that follows quickly is lost.
  useLayoutEffect(() => {
    scopes.add(scope)
    return () => void scopes.delete(scope)
  }, [scope])
}

/** Listens to the keyboard, for the page's whole life. */
export function watchKeys(): void {
  showKeys(hasKeys.peek())
  document.addEventListener('pointerdown', ({ pointerType }) => {
    if (pointerType === 'touch') showKeys(false)
  })
  document.addEventListener('keydown', (event) => {
    // A keyboard on the screen writes texts only.
    if (!isTyping(event)) {
      hasKeys.value = true
      showKeys(true)
    }
    if (event.defaultPrevented || event.isComposing) return
    const key = keyOf(event)
    const isIdle = isUnused(event, key)
    if (!isIdle && isTyping(event)) return
    if (singleKeys.value === 'off' && isSingle(key)) return
    if (!isIdle && isNative(event, key)) return
    const act = actOf(key)
    if (!act) return
    event.preventDefault()
    if (!event.repeat || isHeldOn(key)) act(event)
  })
}

function actOf(key: string): Keys[string] | undefined {
  const inner = [...scopes].sort((a, b) => b.entered - a.entered)
  for (const scope of inner.filter(({ name }) => name !== EVERYWHERE)) {
    if (Object.hasOwn(scope.keys, key)) return scope.keys[key]
    if (scope.isModal) break
  }
  return inner.find(({ name, keys }) => name === EVERYWHERE && Object.hasOwn(keys, key))?.keys[key]
}

const UNTYPED = ['button', 'checkbox', 'radio', 'range', 'color', 'file', 'submit', 'reset']

/** Returns whether an event belongs to a text that the user is typing. */
export function isTyping({ target }: Event): boolean {
  if (target instanceof HTMLInputElement) return !UNTYPED.includes(target.type)
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLElement && target.isContentEditable
}

/** Keys that an empty text has no use for, by the value of `data-shares-keys`. */
const UNUSED: Record<string, string[]> = {
  all: ['Space', 'Shift+Space', 'ArrowLeft', 'ArrowRight', 'Delete', 'Ctrl+Z'],
  undo: ['Ctrl+Z'],
}

/** Whether a text is empty, shares its keys then (`data-shares-keys`), and this is one of those. */
function isUnused({ target }: KeyboardEvent, key: string): boolean {
  if (!(target instanceof HTMLInputElement) || target.value !== '') return false
  const { sharesKeys } = target.closest<HTMLElement>('[data-shares-keys]')?.dataset ?? {}
  return sharesKeys !== undefined && UNUSED[sharesKeys]!.includes(key)
}

/** Whether the focused element itself handles the key. */
function isNative({ target }: KeyboardEvent, key: string): boolean {
  if (!(target instanceof Element)) return false
  // Escape closes an open menu, wherever the focus is.
  if (key === 'Escape') return document.querySelector(':popover-open') !== null
  if (key === 'Enter') return target.matches('button, a[href], summary')
  if (key.endsWith('Space')) return target.matches('button, summary, input, video')
  return target.matches('input') && key.startsWith('Arrow')
}
