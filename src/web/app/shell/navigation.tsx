import { ArrowDownWideNarrow, Ellipsis, Info, Keyboard, LogOut, Settings, Tag } from 'lucide'
import type { ComponentChildren } from 'preact'
import { session, signOut } from '../base/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { complain } from '../parts/toast.tsx'
import { screen } from '../routes.ts'
import { shell } from '../text/shell.ts'
import { LINKS, type Link } from './screens/screens.tsx'
import { sheet } from './state.ts'
import { ToReview } from './to-review.tsx'

/** How many screens have a tab on phones; the others are behind "More". */
const TABS = 3

/** The links to the screens at the side. */
export function SideLinks() {
  return LINKS.map((link) => (
    <ScreenLink key={link.screen} link={link}>
      {link.screen === 'inbox' && <ToReview />}
    </ScreenLink>
  ))
}

function ScreenLink({ link, children }: { link: Link; children?: ComponentChildren }) {
  const { screen: name, href, icon, text } = link
  return (
    <a href={href} aria-current={screen.value === name ? 'page' : undefined}>
      <Icon of={icon} />
      {text()}
      {children}
    </a>
  )
}

/** The line with one's own name, which opens what isn't about pictures. */
export function SideMenu() {
  const { name } = session.value!.user
  return (
    <Menu class="me" items={moreItems()}>
      <span class="face" aria-hidden="true">
        {[...name][0]!.toUpperCase()}
      </span>
      <span class="rest">
        {name}
        <span class="hidden">, {shell().account}</span>
      </span>
      <Icon of={Ellipsis} />
    </Menu>
  )
}

/** The navigation of phones. */
export function Tabs() {
  const words = shell()
  return (
    <nav class="tabs" aria-label={words.screens}>
      {LINKS.slice(0, TABS).map((link) => (
        <ScreenLink key={link.screen} link={link} />
      ))}
      <button
        type="button"
        onClick={() => {
          sheet.value = 'tags'
        }}
      >
        <Icon of={Tag} />
        {words.tags}
      </button>
      <Menu class="tab" items={[...LINKS.slice(TABS).map(itemOf), ...orderItems(), ...moreItems()]}>
        <Icon of={Ellipsis} />
        {words.more}
      </Menu>
    </nav>
  )
}

function itemOf({ href, icon, text }: Link): MenuItem {
  return { text: text(), icon, href }
}

/** On phones, the bar has no room for the order of the photos. */
function orderItems(): MenuItem[] {
  if (screen.value !== 'photos') return []
  const open = () => {
    sheet.value = 'order'
  }
  return [{ text: shell().order, icon: ArrowDownWideNarrow, act: open }]
}

function moreItems(): MenuItem[] {
  const words = shell()
  return [
    { text: words.settings, icon: Settings, href: '/settings' },
    {
      text: words.allKeys,
      icon: Keyboard,
      act: () => {
        sheet.value = 'keys'
      },
    },
    { text: words.about, icon: Info, href: '/about' },
    { text: words.signOut, icon: LogOut, act: () => void signOut().catch(complain) },
  ]
}
