import { computed, effect } from '@preact/signals'
import { Copy, Heart, type IconNode, Image, Inbox, Layers, MapPin, Trash2 } from 'lucide'
import type { ComponentType } from 'preact'
import type { ScreenName } from '../../base/address.ts'
import { looksOnly, mayCreate } from '../../base/session.ts'
import { Grid, wasSeen } from '../../grid/index.ts'
import { OnDemand } from '../../parts/on-demand.tsx'
import { areFavourites, openFile, screen } from '../../routes.ts'
import { heading } from '../state.ts'

/** The longest wait for pictures that don't load, in milliseconds. */
const PATIENCE = 1000

/** Loads a module after the first pictures; at once on a screen without them. */
export async function afterGrid<Module>(load: () => Promise<Module>): Promise<Module> {
  if (screen.peek() === 'photos') await gridIsThere()
  return load()
}

function gridIsThere(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      // Deferred, because an effect can't dispose itself in its first run.
      if (wasSeen.value) queueMicrotask(go)
    })
    const late = setTimeout(go, PATIENCE)
    function go(): void {
      stop()
      clearTimeout(late)
      resolve()
    }
  })
}

const tools = () => import('../tools.tsx')
const bar = async () => (await afterGrid(tools)).PhotosBar
const bulk = async () => (await afterGrid(tools)).BulkBar
const thisDay = async () => (await afterGrid(() => import('../../this-day/index.tsx'))).ThisDay
const empty = async () => (await import('../no-photos.tsx')).NoPhotos

function Photos() {
  return (
    <>
      <OnDemand load={bar} before={<div class="bar" />} />
      <Grid
        label={heading.value}
        empty={<OnDemand load={empty} />}
        top={<OnDemand load={thisDay} />}
      />
      <OnDemand load={bulk} />
    </>
  )
}

const sideLists = async () => (await afterGrid(() => import('../tools.tsx'))).SideLists

type Load = () => Promise<ComponentType>

const SCREENS: Record<ScreenName, Load> = {
  photos: async () => Photos,
  inbox: async () => (await import('./inbox.tsx')).InboxScreen,
  pools: async () => (await import('./pools.tsx')).PoolsScreen,
  map: async () => (await import('../../map/index.tsx')).PlacesMap,
  duplicates: async () => (await import('../../duplicates/index.tsx')).Duplicates,
  trash: async () => (await import('../../trash/index.tsx')).Trash,
  import: async () => (await import('../../import/index.tsx')).Import,
  users: async () => (await import('../../people/index.tsx')).People,
  audit: async () => (await import('../../audit/index.tsx')).Audit,
  tags: async () => (await import('../../tags/page/index.tsx')).TagsPage,
  settings: async () => (await import('../../settings/index.tsx')).Settings,
  about: async () => (await import('../../about/index.tsx')).About,
}

/** A screen, or the part of the photos that has a name of its own. */
export type Room = ScreenName | 'favourites'

/** The room that is shown. */
export const room = computed<Room | undefined>(() =>
  areFavourites.value ? 'favourites' : screen.value,
)

/** The rooms of those who only look. */
const LOOKING: Room[] = ['photos', 'pools', 'map', 'favourites', 'settings', 'about']

function isOpen(name: Room): boolean {
  return !looksOnly() || LOOKING.includes(name)
}

/** The component of the screen, in the page from the start or loaded; undefined if the user has no such screen. */
export const shown = computed<Load | undefined>(() => {
  const name = screen.value
  return name && isOpen(name) ? SCREENS[name] : undefined
})

/** A link of the navigation, with the words of its room. */
export interface Link {
  room: Room
  href: string
  icon: IconNode
}

const ALL_LINKS: Link[] = [
  { room: 'photos', href: '/', icon: Image },
  { room: 'inbox', href: '/inbox', icon: Inbox },
  { room: 'pools', href: '/albums', icon: Layers },
  {
    room: 'favourites',
    href: '/?filter=%7Bf%3D1%7D',
    icon: Heart,
  },
  { room: 'map', href: '/map', icon: MapPin },
  { room: 'duplicates', href: '/duplicates', icon: Copy },
  { room: 'trash', href: '/trash', icon: Trash2 },
]

/** The links of the navigation, to the rooms that the user has. */
export const links = computed(() => ALL_LINKS.filter((link) => isOpen(link.room)))

/** Shown below the links at the side, on phones behind a tab of its own: quick listings and tags. */
export function Side() {
  return <OnDemand load={sideLists} before={<div class="rest" />} />
}

interface Overlay {
  isWanted: () => boolean
  load: Load
}

/** What may be above or beside any screen, such as an open file. */
export const OVERLAYS: Overlay[] = [
  {
    isWanted: () => openFile.value !== null && shown.value !== undefined,
    load: async () => (await import('./open-file.tsx')).OpenFile,
  },
  {
    isWanted: () => mayCreate() === true,
    load: async () => (await afterGrid(() => import('../uploads.tsx'))).Uploads,
  },
]
