import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedInputEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

interface ComboboxProps<Item> {
  /** For screen readers. */
  label: string
  placeholder?: string
  /** The typed text; with a signal of its own, the owner can read and clear it. */
  text?: Signal<string>
  /** Called when the box gets the focus, to prepare what `match` needs. */
  prepare?(): void
  match(text: string): Item[]
  /** Whether all items are loaded; Enter waits for that. */
  isReady?: boolean
  keyOf(item: Item): string
  show(item: Item): ComponentChildren
  /** Called when an item is chosen by Enter or a click; the text is cleared, and typing continues. */
  onPick(item: Item): void
  /** Shown last in the list; `Shift Enter` triggers it, or Enter if nothing matches. */
  create?: { show(text: string): ComponentChildren; act(text: string): void }
  /** Handles keys in the text that mean something else here; returns true if it did. */
  onKey?(event: TargetedKeyboardEvent<HTMLInputElement>, text: string): boolean
  /** Shown under the item that Enter would choose. */
  below?(item: Item): ComponentChildren
  /** Whether the list is shown before anything is typed, while the box has the focus. */
  opensEmpty?: boolean
  /** Called when Enter would choose another item, or none; not called when the focus leaves. */
  onChosen?(item: Item | undefined): void
  input?: { current: HTMLInputElement | null }
}

/** How many items are shown; typing more finds the others. */
const MOST = 50

/** A text box with a list of choices that narrows while the user types. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { label, placeholder, keyOf, show, create, below, isReady = true } = props
  const choices = useChoices(props)
  const { state, typed, items, isOpen, canCreate, chosen } = choices
  const { pick, handlers } = handlersOf(props, choices)
  useLayoutEffect(() => {
    if (isReady && state.isAwaited.peek() && isOpen) pick(chosen)
  }, [isReady])
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, isOpen])
  return (
    <div class="combobox">
      <input
        ref={props.input}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
        placeholder={placeholder}
        value={state.text}
        {...handlers}
      />
      <div ref={list} id={id} role="listbox" aria-label={label} class="list" hidden={!isOpen}>
        {items.map((item, place) => (
          <Option
            key={keyOf(item)}
            id={`${id}-${place}`}
            isChosen={place === chosen}
            act={() => pick(place)}
          >
            {show(item)}
            {place === chosen && below && <div class="also">{below(item)}</div>}
          </Option>
        ))}
        {canCreate && isOpen && (
          <Option
            id={`${id}-${items.length}`}
            class={items.length > 0 ? 'create' : undefined}
            isChosen={chosen === items.length}
            act={() => pick(items.length)}
          >
            {create!.show(typed)}
          </Option>
        )}
      </div>
    </div>
  )
}

/** Returns what was typed, what the list shows, and which item Enter would choose. */
function useChoices<Item>(props: ComboboxProps<Item>) {
  const { match, keyOf, create, opensEmpty = false } = props
  const own = useSignal('')
  const text = props.text ?? own
  const active = useSignal(0)
  const hasFocus = useSignal(false)
  const isDismissed = useSignal(false)
  // Whether Enter was pressed too early.
  const isAwaited = useSignal(false)

  const typed = text.value.trim()
  const isWanted = hasFocus.value && !isDismissed.value && (typed !== '' || opensEmpty)
  const items = isWanted ? match(typed).slice(0, MOST) : []
  const canCreate = create !== undefined && typed !== ''
  const count = items.length + (canCreate ? 1 : 0)
  const isOpen = isWanted && count > 0
  const chosen = Math.min(active.value, count - 1)
  const item = items[chosen]
  const key = item && keyOf(item)
  // Before the next key; a click elsewhere may still need the list.
  useLayoutEffect(() => {
    if (hasFocus.peek()) props.onChosen?.(item)
  }, [key])
  const state = { text, active, hasFocus, isDismissed, isAwaited }
  return { state, typed, items, canCreate, count, isOpen, chosen }
}

/** Returns how an item is picked by its place, and the handlers of the text. */
function handlersOf<Item>(
  { create, prepare, onPick, onKey, isReady = true }: ComboboxProps<Item>,
  { state, typed, items, canCreate, count, isOpen, chosen }: ReturnType<typeof useChoices<Item>>,
) {
  const { text, active, hasFocus, isDismissed, isAwaited } = state
  const setText = (next: string) => {
    text.value = next
    active.value = 0
    isAwaited.value = false
  }
  const setActive = (place: number) => {
    active.value = (place + count) % count
  }
  const setDismissed = (is: boolean) => {
    isDismissed.value = is
  }
  const pick = (place: number) => {
    const item = items[place]
    setText('')
    // What was chosen may be below the list.
    setDismissed(true)
    if (item !== undefined) onPick(item)
    else create?.act(typed)
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing || onKey?.(event, text.value)) return
    if (event.key === 'Enter' && !isReady && typed !== '') {
      event.preventDefault()
      isAwaited.value = true
      return
    }
    const acts: Record<string, () => void> = {
      ArrowDown: () => setActive(chosen + 1),
      ArrowUp: () => setActive(chosen - 1),
      Enter: () => pick(event.shiftKey && canCreate ? items.length : chosen),
      Escape: () => setDismissed(true),
    }
    const act = isOpen && acts[event.key]
    if (event.key === 'ArrowDown') setDismissed(false)
    if (!act) return
    event.preventDefault()
    // Escape closes the list only, and not what contains it.
    event.stopPropagation()
    act()
  }
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    setText(currentTarget.value)
    setDismissed(false)
  }
  const onFocus = () => {
    hasFocus.value = true
    prepare?.()
    setDismissed(false)
  }
  const onBlur = () => {
    hasFocus.value = false
    isAwaited.value = false
  }
  const onClick = () => setDismissed(false)
  return { pick, handlers: { onInput, onFocus, onBlur, onClick, onKeyDown } }
}

interface OptionProps {
  id: string
  class?: string | undefined
  isChosen: boolean
  act(): void
  children: ComponentChildren
}

function Option({ id, class: extra, isChosen, act, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the text, which keeps the focus
    <div
      id={id}
      class={extra}
      role="option"
      aria-selected={isChosen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={act}
    >
      {children}
    </div>
  )
}
