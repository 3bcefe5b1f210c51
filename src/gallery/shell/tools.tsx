import { useSignal, useSignalEffect } from '@preact/signals'
import {
  ArrowDownWideNarrow,
  Camera,
  Ellipsis,
  Folder,
  FolderInput,
  History,
  Images,
  Info,
  Keyboard,
  LogOut,
  Play,
  Settings,
  Upload,
  Users,
} from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { RAW_TYPES, SPELLINGS } from '../../media/endings.ts'
import { takeFiles } from '../base/drops.ts'
import { hasKeys } from '../base/keys.ts'
import { firstHour } from '../base/preferences.ts'
import { mayCreate, session, signOut } from '../base/session.ts'
import { FilterBar, isFiltered, orderChoices, QuickListings, sentence } from '../filter/index.ts'
import { files } from '../grid/index.ts'
import { Dialog, Modal } from '../parts/dialog.tsx'
import { Face } from '../parts/face.tsx'
import { Grip } from '../parts/grip.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { complain } from '../parts/toast.tsx'
import { screen } from '../routes.ts'
import { playListing } from '../slideshow/index.ts'
import { TagSide } from '../tags/index.tsx'
import { common } from '../text/common.ts'
import { filter } from '../text/filter.ts'
import { shell } from '../text/shell.ts'
import { upload as text } from '../text/upload.ts'
import { heading, sheet } from './state.ts'

export { BulkBar } from '../bulk/index.ts'
export { Worker } from './worker.tsx'

/** Links that show a part of the photos by one click: quick listings, and the tags. */
export function SideLists() {
  return (
    <>
      <QuickListings />
      <TagSide />
    </>
  )
}

/** The bar above the grid. */
export function PhotosBar() {
  useSignalEffect(() => {
    heading.value = filter().heading(sentence.value)
  })
  return (
    <>
      <FilterBar>
        {hasFiles() && (
          <button
            type="button"
            class="btn icononly quiet wide"
            aria-label={shell().slideshow}
            title={shell().slideshow}
            onClick={playAll}
          >
            <Icon of={Play} />
          </button>
        )}
        {mayCreate() && <UploadButton />}
      </FilterBar>
      <Greeting />
      <OnDemand load={news} />
    </>
  )
}

function hasFiles(): boolean {
  return (files.total.value ?? 0) > 0
}

function playAll(): void {
  playListing(files)
}

/** The links of `SideLists`, on phones. */
export function TagSheet({ onClose }: { onClose(): void }) {
  return (
    <Modal label={shell().tags} class="sheet" onClose={onClose}>
      <Grip label={common().close} act={onClose} />
      <SideLists />
    </Modal>
  )
}

/** Changes the order of the photos on phones, where the bar has no room for it. */
export function OrderSheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={shell().order} onClose={onClose}>
      {orderChoices().map((group, place) => (
        <div key={place}>
          {group.map(({ text, isChosen, act }) => (
            <button
              type="button"
              class="line"
              key={text}
              aria-pressed={isChosen}
              onClick={() => {
                act()
                onClose()
              }}
            >
              {text}
            </button>
          ))}
        </div>
      ))}
    </Dialog>
  )
}

const changePassword = async () => (await import('../settings/index.tsx')).ChangePassword
const news = async () => (await import('../news/index.tsx')).News
const welcome = async () => (await import('../welcome/index.tsx')).Welcome

/** Whether the first hour of an admin is under way. */
export function isGreeting(): boolean {
  return session.value!.user.is_admin && firstHour.value.startsWith('open')
}

/** Greets the admin of an empty library, and stays while the library fills. */
function Greeting() {
  const isChanging = useSignal(false)
  const isEmpty = files.total.value === 0 && !isFiltered.value
  const { is_admin } = session.value!.user
  useEffect(() => {
    if (is_admin && isEmpty && firstHour.peek() === '') firstHour.value = 'open'
  }, [is_admin, isEmpty])
  if (!isGreeting() || isFiltered.value) return null
  return (
    <>
      <OnDemand
        load={welcome}
        upload={<UploadButton />}
        onChangePassword={() => {
          isChanging.value = true
        }}
      />
      {isChanging.value && (
        <OnDemand
          load={changePassword}
          onClose={() => {
            isChanging.value = false
          }}
        />
      )}
    </>
  )
}

// Few systems know that RAWs and JPEG XL are pictures.
const SELDOM_KNOWN = [...RAW_TYPES.values(), 'jxl'].flatMap((end) => [
  end,
  ...(SPELLINGS[end] ?? []),
])
const PICKED = ['image/*', 'video/*', ...SELDOM_KNOWN.map((end) => `.${end}`)].join()

/** A button that asks for pictures: files, a folder, or on phones the camera. */
export function UploadButton() {
  const words = text()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    takeFiles([...(input.files ?? [])])
    // Otherwise choosing the same files again has no effect.
    input.value = ''
  }
  useEffect(() => {
    folder.current!.webkitdirectory = true
  }, [])
  const hasCamera = matchMedia('(pointer: coarse)').matches
  const usual = {
    type: 'file',
    hidden: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => take(currentTarget),
  } as const
  return (
    <>
      <Menu
        label={words.upload}
        class="btn primary"
        items={[
          { text: words.chooseFiles, icon: Images, act: () => files.current!.click() },
          { text: words.chooseFolder, icon: Folder, act: () => folder.current!.click() },
          ...(hasCamera
            ? [{ text: words.takePicture, icon: Camera, act: () => camera.current!.click() }]
            : []),
        ]}
      >
        <Icon of={Upload} />
        <span class="wide">{words.upload}</span>
      </Menu>
      <input {...usual} ref={files} multiple accept={PICKED} aria-label={words.chooseFiles} />
      <input {...usual} ref={folder} multiple aria-label={words.chooseFolder} />
      <input
        {...usual}
        ref={camera}
        accept="image/*"
        capture="environment"
        aria-label={words.takePicture}
      />
    </>
  )
}

/** The line with the user's name, which opens a menu of everything that isn't about pictures. */
export function SideMenu() {
  const { id, name } = session.value!.user
  return (
    <Menu class={isHere() ? 'me here' : 'me'} items={moreItems()}>
      <Face id={id} name={name} />
      <span class="rest">
        {name}
        <span class="hidden">, {shell().account}</span>
      </span>
      <Icon of={Ellipsis} />
    </Menu>
  )
}

/** The tab on phones for the screens without a tab of their own, and for the user's menu. */
export function MoreTab({ links, isOneHere }: { links: MenuItem[]; isOneHere: boolean }) {
  return (
    <Menu
      class={isOneHere || isHere() ? 'tab here' : 'tab'}
      items={[...links, ...photosItems(), ...moreItems()]}
    >
      <Icon of={Ellipsis} />
      {shell().more}
    </Menu>
  )
}

/** On phones, the bar has no room for the order of the photos and the slideshow. */
function photosItems(): MenuItem[] {
  if (screen.value !== 'photos') return []
  const open = () => {
    sheet.value = 'order'
  }
  return [
    { text: shell().order, icon: ArrowDownWideNarrow, act: open },
    ...(hasFiles() ? [{ text: shell().slideshow, icon: Play, act: playAll }] : []),
  ]
}

function keepItems(): (MenuItem & { href: string })[] {
  const words = shell()
  const forAdmins = [
    { text: words.import, icon: FolderInput, href: '/keep/import' },
    { text: words.users, icon: Users, href: '/keep/users' },
    { text: words.audit, icon: History, href: '/keep/audit' },
  ]
  const { is_admin } = session.value!.user
  return [
    ...(is_admin ? forAdmins : []),
    { text: words.settings, icon: Settings, href: '/settings' },
    { text: words.about, icon: Info, href: '/about' },
  ]
}

function isHere(): boolean {
  return ['import', 'users', 'audit', 'settings', 'about'].includes(screen.value ?? '')
}

function moreItems(): MenuItem[] {
  const words = shell()
  const openKeys = () => {
    sheet.value = 'keys'
  }
  const screens = keepItems()
  return [
    ...screens.slice(0, -1),
    ...(hasKeys.value ? [{ text: words.allKeys, icon: Keyboard, act: openKeys }] : []),
    ...screens.slice(-1),
    { text: words.signOut, icon: LogOut, act: () => void signOut().catch(complain) },
  ]
}
