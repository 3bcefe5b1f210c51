import { Inbox } from '../../review/index.ts'
import { FileTags } from '../file-tags.tsx'

/** The inbox, in which each file can be tagged. */
export function InboxScreen() {
  return <Inbox panel={(id) => <FileTags key={id} id={id} />} />
}
