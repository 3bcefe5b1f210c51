import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
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
  const { label, placeholder, match, keyOf, show, create, below, opensEmpty = false } = props
  const own = useSignal('')
  const text = props.text ?? own
  const active = useSignal(0)
  const hasFocus = useSignal(false)
  const isDismissed = useSignal(false)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const typed = text.value.trim()
  const isWanted = hasFocus.value && !isDismissed.value && (typed !== '' || opensEmpty)
  const items = isWanted ? match(typed).slice(0, MOST) : []
  const canCreate = create !== undefined && typed !== ''
  const count = items.length + (canCreate ? 1 : 0)
  const isOpen = isWanted && count > 0
  const chosen = Math.min(active.value, count - 1)

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, isOpen])
  const item = items[chosen]
  const key = item && keyOf(item)
  // Before the next key; a click elsewhere may still need the list.
  useLayoutEffect(() => {
    if (hasFocus.peek()) props.onChosen?.(item)
  }, [key])

  function clear(): void {
    text.value = ''
    active.value = 0
  }

  function pick(place: number): void {
    const item = items[place]
    clear()
    if (item !== undefined) props.onPick(item)
    else create?.act(typed)
  }

  function onKeyDown(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    if (event.isComposing || props.onKey?.(event, text.value)) return
    const acts: Record<string, (() => void) | false> = {
      ArrowDown: isOpen && (() => setActive(chosen + 1)),
      ArrowUp: isOpen && (() => setActive(chosen - 1)),
      Enter: isOpen && (() => pick(event.shiftKey && canCreate ? items.length : chosen)),
      Escape: isOpen && (() => dismiss()),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    // Escape closes the list only, and not what contains it.
    event.stopPropagation()
    act()
  }

  function setActive(place: number): void {
    active.value = (place + count) % count
  }

  function dismiss(): void {
    isDismissed.value = true
  }

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
        value={text}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          active.value = 0
          isDismissed.value = false
        }}
        onFocus={() => {
          hasFocus.value = true
          props.prepare?.()
          isDismissed.value = false
        }}
        onBlur={() => {
          hasFocus.value = false
        }}
        onKeyDown={onKeyDown}
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
            {create.show(typed)}
          </Option>
        )}
      </div>
    </div>
  )
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
