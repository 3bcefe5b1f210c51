import { session } from '../base/session.ts'
import { BulkBar } from '../bulk/index.ts'
import { FilterBar, isFiltered } from '../filter/index.ts'
import { files, Grid, goToMonth } from '../grid/index.ts'
import { shell } from '../text/shell.ts'
import { UploadButton } from '../upload/index.ts'

/** The photos: which are shown, the grid of them, and what can be done with those selected. */
export function Photos() {
  const words = shell()
  return (
    <>
      <FilterBar total={files.total.value} onJump={(instant) => goToMonth(instant.slice(0, 7))}>
        {session.value!.user.can_create && <UploadButton />}
      </FilterBar>
      <Grid empty={isFiltered.value ? undefined : <FirstHour />} label={words.photos} />
      <BulkBar />
    </>
  )
}

/** What stands in a library without files. */
function FirstHour() {
  const words = shell()
  const { name, can_create } = session.value!.user
  return (
    <div class="void">
      <h1>{words.welcome(name)}</h1>
      <p class="muted">{can_create ? words.dropHere : words.nothingShared}</p>
      {can_create && <UploadButton />}
    </div>
  )
}
