import { Inbox } from '../../review/index.tsx'
import { FileTags, History } from './open-file.tsx'

/** The inbox, in which each file can be tagged. */
export function InboxScreen() {
  return (
    <>
      <Inbox panel={(id) => <FileTags key={id} id={id} />} />
      <History />
    </>
  )
}
