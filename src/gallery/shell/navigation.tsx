import { Tag } from 'lucide'
import type { ComponentChildren, ComponentType } from 'preact'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { screen } from '../routes.ts'
import { shell } from '../text/shell.ts'
import { afterGrid, type Link, links, type Room, room } from './screens/screens.tsx'
import { sheet } from './state.ts'

/**
 * How many screens have a tab on phones, before that of the tags and in all; the others are behind
 * "More".
 */
const [BEFORE_TAGS, TABS] = [2, 3]

const tools = () => import('./tools.tsx')
const counted = () => import('./counts.tsx')
const counts: Partial<Record<Room, () => Promise<ComponentType>>> = {
  inbox: async () => (await afterGrid(counted)).ToReview,
  duplicates: async () => (await afterGrid(counted)).LookAlikes,
}
const sideMenu = async () => (await afterGrid(tools)).SideMenu
const moreTab = async () => (await afterGrid(tools)).MoreTab

/** The line with the user's name, below the tags. */
export function SideAccount() {
  return <OnDemand load={sideMenu} />
}

/** The links to the screens at the side. */
export function SideLinks() {
  return links.value.map((link) => {
    const count = counts[link.room]
    return (
      <ScreenLink key={link.room} link={link}>
        {count && <OnDemand load={count} />}
      </ScreenLink>
    )
  })
}

function ScreenLink({ link, children }: { link: Link; children?: ComponentChildren }) {
  const { room: name, href, icon } = link
  return (
    <a href={href} aria-current={room.value === name ? 'page' : undefined}>
      <Icon of={icon} />
      {shell()[name]}
      {children}
    </a>
  )
}

/** The navigation on phones. */
export function Tabs() {
  const words = shell()
  const others = links.value.slice(TABS)
  return (
    <nav class="tabs" aria-label={words.screens}>
      {links.value.slice(0, BEFORE_TAGS).map((link) => (
        <ScreenLink key={link.room} link={link} />
      ))}
      <button
        type="button"
        aria-current={screen.value === 'tags' ? 'page' : undefined}
        onClick={() => {
          sheet.value = 'tags'
        }}
      >
        <Icon of={Tag} />
        {words.tags}
      </button>
      {links.value.slice(BEFORE_TAGS, TABS).map((link) => (
        <ScreenLink key={link.room} link={link} />
      ))}
      <OnDemand
        load={moreTab}
        before={<span />}
        links={others.map(({ room, href, icon }) => ({ text: words[room], icon, href }))}
        isOneHere={others.some((link) => link.room === room.value)}
      />
    </nav>
  )
}
