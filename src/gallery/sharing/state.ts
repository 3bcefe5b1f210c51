import type { ObjectType } from '../base/access.ts'
import type { List, Pictures } from './sight.ts'

/** Another user. */
export interface Person {
  id: number
  name: string
}

/** What is shared, and who sees it now. */
export interface State {
  kind: ObjectType | 'files'
  /** Of a pool, a tag or a category. */
  name: string
  creator: string
  /** Whether the caller created it. */
  isOwn: boolean
  /** Whether the caller may change who sees it. */
  isMine: boolean
  people: Person[]
  /** Who may see it; null for several files, which have a list each. */
  list: List | null
  /** Of files, or of a pool. */
  pictures: Pictures | null
  /** Returns the ids of its pictures that can be shared at once. Throws an ApiError. */
  ids(): Promise<string[]>
}
