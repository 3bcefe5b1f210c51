import { Inbox } from '../../review/index.ts'
import { History } from '../file-history.tsx'
import { FileTags } from '../file-tags.tsx'

/** The inbox, in which each file can be tagged. */
export function InboxScreen() {
  return (
    <>
      <Inbox panel={(id) => <FileTags key={id} id={id} />} />
      <History />
    </>
  )
}
