import { useLayoutEffect, useMemo } from 'preact/hooks'
import { singleKeys } from '../settings/preferences.ts'
import { isHeldOn, isSingle, keyOf } from './names.ts'

/** What keys do, by their names: `Ctrl+A`, `t`, `Shift+ArrowDown`, `?`. */
export type Keys = Record<string, (event: KeyboardEvent) => void>

interface Scope {
  name: string
  keys: Keys
  /** Scopes that were entered later are further inside. */
  entered: number
  isModal: boolean
}

/** The scope whose keys work wherever no other one wants them, even in dialogs. */
export const EVERYWHERE = 'everywhere'

const scopes = new Set<Scope>()
let entered = 0

/**
 * Gives keys a meaning while the component is there. Of two scopes that know a key, the one whose
 * component came later wins. Nothing happens while somebody types, nor again while a key is held
 * that changes something. What a key does is told by `keys` in the words of the feature, under the
 * same name. With `isModal`, as in dialogs, keys that the scope doesn't know do nothing, but for
 * those of `everywhere`.
 */
export function useKeys(name: string, keys: Keys, { isModal = false } = {}): void {
  // Components are made from the outside in, but their effects run from the inside out.
  const scope = useMemo<Scope>(() => ({ name, keys, entered: entered++, isModal }), [name, isModal])
  scope.keys = keys
  // Before anything is painted, so that no key is lost that follows quickly.
  useLayoutEffect(() => {
    scopes.add(scope)
    return () => void scopes.delete(scope)
  }, [scope])
}

/** Listens to the keyboard, for the page's whole life. */
export function watchKeys(): void {
  document.addEventListener('keydown', (event) => {
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

/** Returns whether an event is one of a text that somebody writes. */
export function isTyping({ target }: Event): boolean {
  if (target instanceof HTMLInputElement) return !UNTYPED.includes(target.type)
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLElement && target.isContentEditable
}

/** Keys that a text without letters has no use for, by what it shares of them. */
const UNUSED: Record<string, string[]> = {
  all: ['Space', 'ArrowLeft', 'ArrowRight', 'Delete', 'Ctrl+Z'],
  undo: ['Ctrl+Z'],
}

/** Whether a text is empty, leaves keys to others then (`data-shares-keys`), and this is one. */
function isUnused({ target }: KeyboardEvent, key: string): boolean {
  if (!(target instanceof HTMLInputElement) || target.value !== '') return false
  const { sharesKeys } = target.closest<HTMLElement>('[data-shares-keys]')?.dataset ?? {}
  return sharesKeys !== undefined && UNUSED[sharesKeys]!.includes(key)
}

/** Whether the element that has the focus does something with the key by itself. */
function isNative({ target }: KeyboardEvent, key: string): boolean {
  if (!(target instanceof Element)) return false
  // It closes an open menu, wherever the focus is.
  if (key === 'Escape') return document.querySelector(':popover-open') !== null
  if (key === 'Enter') return target.matches('button, a[href], summary')
  if (key === 'Space') return target.matches('button, summary, input')
  return target.matches('input') && key.startsWith('Arrow')
}
