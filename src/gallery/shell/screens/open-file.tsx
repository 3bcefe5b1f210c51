import { useEffect } from 'preact/hooks'
import { files, show } from '../../grid/index.ts'
import { listing, openFile, replace } from '../../routes.ts'
import { Viewer } from '../../viewer/index.ts'
import { History } from '../file-history.tsx'
import { FileTags } from '../file-tags.tsx'
import { PoolTool } from '../pool-tool.tsx'
import { isSlideshowWanted } from '../state.ts'

/** Shows the file of the address, above the grid. */
export function OpenFile() {
  const id = openFile.value
  const { trash: isInTrash = false, pool } = listing.value
  useEffect(() => {
    isSlideshowWanted.value = false
  }, [])
  if (id === null) return null
  return (
    <>
      <Viewer
        files={files}
        id={id}
        isInTrash={isInTrash}
        onGo={(next) => replace({ path: `/f/${next}`, at: next })}
        onClose={() => {
          replace({ path: isInTrash ? '/trash' : pool ? `/pools/${pool}` : '/', at: id })
          void show(id, { hasFocus: true })
        }}
        isPlayed={isSlideshowWanted.peek()}
        {...(!isInTrash && { tools: <PoolTool key={id} id={id} /> })}
        panel={<FileTags key={id} id={id} />}
      />
      <History />
    </>
  )
}
