import { files, show } from '../../grid/index.ts'
import { listing, openFile, replace } from '../../routes.ts'
import { Viewer } from '../../viewer/index.ts'
import { FileTags } from '../file-tags.tsx'

/** The file of the address, above the grid. */
export function OpenFile() {
  const id = openFile.value
  const isInTrash = listing.value.trash === true
  if (id === null) return null
  return (
    <Viewer
      files={files}
      id={id}
      isInTrash={isInTrash}
      onGo={(next) => replace({ path: `/f/${next}`, at: next })}
      onClose={() => {
        replace({ path: isInTrash ? '/trash' : '/', at: id })
        void show(id, { hasFocus: true })
      }}
      panel={<FileTags key={id} id={id} />}
    />
  )
}
