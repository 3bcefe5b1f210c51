import {
  ArrowDownWideNarrow,
  Ellipsis,
  FolderInput,
  History,
  Info,
  Keyboard,
  LogOut,
  Settings,
  Users,
} from 'lucide'
import { session, signOut } from '../base/session.ts'
import { Face } from '../parts/face.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { complain } from '../parts/toast.tsx'
import { screen } from '../routes.ts'
import { shell } from '../text/shell.ts'
import { sheet } from './state.ts'

/** The line with the user's name, which opens a menu of everything that isn't about pictures. */
export function SideMenu() {
  const { name } = session.value!.user
  return (
    <Menu class={isHere() ? 'me here' : 'me'} items={moreItems()}>
      <Face name={name} />
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
      items={[...links, ...orderItems(), ...moreItems()]}
    >
      <Icon of={Ellipsis} />
      {shell().more}
    </Menu>
  )
}

/** On phones, the bar has no room for the order of the photos. */
function orderItems(): MenuItem[] {
  if (screen.value !== 'photos') return []
  const open = () => {
    sheet.value = 'order'
  }
  return [{ text: shell().order, icon: ArrowDownWideNarrow, act: open }]
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
    { text: words.allKeys, icon: Keyboard, act: openKeys },
    ...screens.slice(-1),
    { text: words.signOut, icon: LogOut, act: () => void signOut().catch(complain) },
  ]
}
