import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { mayCreate, session } from '../base/session.ts'
import { firstHour } from '../base/settings/preferences.ts'
import {
  FilterBar,
  isFiltered,
  NothingMatches,
  orderChoices,
  QuickListings,
  sentence,
} from '../filter/index.ts'
import { files } from '../grid/index.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { TagSide } from '../tags/index.ts'
import { filter } from '../text/filter.ts'
import { shell } from '../text/shell.ts'
import { heading } from './state.ts'
import { UploadButton } from './upload-button.tsx'

export { BulkBar } from '../bulk/index.ts'
export { MoreTab, SideMenu } from './more.tsx'

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
      <FilterBar>{mayCreate() && <UploadButton />}</FilterBar>
      <Greeting />
    </>
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

/** Shown in place of the grid when it has no files. */
export function NoPhotos() {
  if (isFiltered.value) return <NothingMatches />
  return isGreeting() ? null : <NoFiles />
}

function NoFiles() {
  const words = shell()
  const { name } = session.value!.user
  return (
    <div class="void">
      <h1>{words.welcome(name)}</h1>
      <p class="muted">{mayCreate() ? words.dropHere : words.nothingShared}</p>
      {mayCreate() && <UploadButton />}
    </div>
  )
}

const changePassword = async () => (await import('../settings/index.tsx')).ChangePassword
const welcome = async () => (await import('../welcome/index.ts')).Welcome

function isGreeting(): boolean {
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
