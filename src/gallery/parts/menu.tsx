import type { IconNode } from 'lucide'
import type {
  ComponentChildren,
  TargetedKeyboardEvent,
  TargetedMouseEvent,
  TargetedPointerEvent,
  TargetedToggleEvent,
} from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { placeAt } from './place.ts'

export interface MenuItem {
  text: string
  icon?: IconNode
  /** The address of a link, instead of `act`. */
  href?: string
  act?(): void
  /** For one of several exclusive choices: whether it is chosen. */
  isChosen?: boolean
  /** Whether it deletes or removes something. */
  isBad?: boolean
  /** Whether a divider is shown above it. */
  isApart?: boolean
}

interface MenuProps {
  /** The button's name for screen readers, if its content doesn't say it. */
  label?: string
  class?: string
  children: ComponentChildren
  items: MenuItem[]
  /** Whether a long press and the second button of a mouse open it as well. */
  opensByLongPress?: boolean
}

/** A button that opens a menu, by pointer or keys. */
export function Menu(props: MenuProps) {
  const { label, class: extra = 'btn quiet icononly', children, items, opensByLongPress } = props
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  const longPress = useLongPress(() => {
    if (!menu.current?.matches(':popover-open')) button.current?.click()
  })

  function toggled({ newState }: TargetedToggleEvent<HTMLDivElement>): void {
    // What was chosen may have removed the menu.
    button.current?.setAttribute('aria-expanded', String(newState === 'open'))
    if (newState !== 'open' || !button.current) return
    putAt(button.current, menu.current!)
    entries()[0]?.focus()
  }

  function entries(): HTMLElement[] {
    return [...menu.current!.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  }

  function move(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const all = entries()
    if (event.key === 'Tab') menu.current!.hidePopover()
    const place = placeAfter(event.key, all)
    if (place < 0) return
    event.preventDefault()
    event.stopPropagation()
    all[place]!.focus()
  }

  return (
    <>
      <button
        ref={button}
        id={`${id}-button`}
        type="button"
        class={extra}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded="false"
        popovertarget={id}
        {...(opensByLongPress && longPress)}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        class="menu"
        tabIndex={-1}
        aria-labelledby={`${id}-button`}
        onToggle={toggled}
        onKeyDown={move}
      >
        {items.map((item) => (
          <Entry key={item.text} {...item} close={() => menu.current!.hidePopover()} />
        ))}
      </div>
    </>
  )
}

/** Milliseconds after which a touch counts as a long press. */
const LONG = 500

/** Returns handlers that call `act` at a long press, and at a press of a mouse's second button. */
function useLongPress(act: () => void) {
  const press = useRef({ timer: 0, isOver: true })
  const end = () => clearTimeout(press.current.timer)
  useEffect(() => end, [])
  return {
    onPointerDown: ({ pointerType }: TargetedPointerEvent<HTMLElement>) => {
      press.current.isOver = true
      if (pointerType !== 'touch') return
      press.current.timer = window.setTimeout(() => {
        act()
        press.current.isOver = false
      }, LONG)
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onClick: (event: TargetedMouseEvent<HTMLElement>) => {
      // Some browsers also click at the end of a long press, which would close what it has opened.
      if (!press.current.isOver && event.detail > 0) event.preventDefault()
    },
    onContextMenu: (event: Event) => {
      event.preventDefault()
      act()
    },
  }
}

function Entry(props: MenuItem & { close(): void }) {
  const { text, icon, href, act, isChosen, isBad, isApart, close } = props
  const content = (
    <>
      {icon && <Icon of={icon} />}
      <span class="rest">{text}</span>
    </>
  )
  const role =
    isChosen === undefined
      ? ({ role: 'menuitem' } as const)
      : ({ role: 'menuitemradio', 'aria-checked': isChosen } as const)
  if (href !== undefined) {
    return (
      <a role="menuitem" tabIndex={-1} href={href} onClick={close}>
        {content}
      </a>
    )
  }
  return (
    <button
      type="button"
      {...role}
      tabIndex={-1}
      class={isBad ? 'bad' : isApart ? 'apart' : undefined}
      onClick={() => {
        close()
        act?.()
      }}
    >
      {content}
    </button>
  )
}

function putAt(button: HTMLElement, { offsetWidth, offsetHeight, style }: HTMLElement): void {
  const size = { width: innerWidth, height: innerHeight }
  const own = { width: offsetWidth, height: offsetHeight }
  const place = placeAt(button.getBoundingClientRect(), own, size)
  style.left = `${place.left}px`
  style.top = `${place.top}px`
}

/** Returns the place of the entry that a key focuses; -1 for none. */
function placeAfter(key: string, entries: HTMLElement[]): number {
  const now = entries.indexOf(document.activeElement as HTMLElement)
  const next: Record<string, number> = {
    ArrowDown: (now + 1) % entries.length,
    ArrowUp: (now - 1 + entries.length) % entries.length,
    Home: 0,
    End: entries.length - 1,
  }
  return next[key] ?? entries.findIndex((entry) => startsWith(entry, key))
}

function startsWith(entry: HTMLElement, key: string): boolean {
  return key.length === 1 && entry.textContent!.trim().toLowerCase().startsWith(key.toLowerCase())
}
