import { files, show } from '../grid/index.ts'
import { openFile, replace } from '../routes.ts'
import { Viewer } from '../viewer/index.ts'
import { FileTags } from './file-tags.tsx'

/** The file of the address, above the grid. */
export function OpenFile() {
  const id = openFile.value
  if (id === null) return null
  return (
    <Viewer
      files={files}
      id={id}
      onGo={(next) => replace({ path: `/f/${next}`, at: next })}
      onClose={() => {
        replace({ path: '/', at: id })
        void show(id, { hasFocus: true })
      }}
      panel={<FileTags key={id} id={id} />}
    />
  )
}
