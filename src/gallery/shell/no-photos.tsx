import { Heart } from 'lucide'
import { hasKeys } from '../base/keys.ts'
import { mayCreate, session } from '../base/session.ts'
import { isFiltered, nothingMatches } from '../filter/index.ts'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { areFavourites, listing } from '../routes.ts'
import { noPhotos } from '../text/no-photos.ts'
import { isGreeting, UploadButton } from './tools.tsx'

/** Shown in place of the grid when it has no files. */
export function NoPhotos() {
  const { search, from, to } = listing.value
  if (areFavourites.value && !search && !from && !to) return <NoFavourites />
  if (isFiltered.value) return <OnDemand load={nothingMatches} />
  return isGreeting() ? null : <NoFiles />
}

function NoFavourites() {
  const words = noPhotos()
  return (
    <div class="void">
      <Icon of={Heart} />
      <h1>{words.noFavourites}</h1>
      <p class="muted">{hasKeys.value ? words.byKey : words.byTap}</p>
    </div>
  )
}

function NoFiles() {
  const words = noPhotos()
  const { name } = session.value!.user
  return (
    <div class="void">
      <h1>{words.welcome(name)}</h1>
      <p class="muted">{mayCreate() ? words.dropHere : words.nothingShared}</p>
      {mayCreate() && <UploadButton />}
    </div>
  )
}
