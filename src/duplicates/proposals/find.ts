import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { seenNow } from '../../auth/seen-now.ts'
import { createPause } from '../../base/pause.ts'
import type { User } from '../../base/user.ts'
import type { Db } from '../../db/client.ts'
import { perConnection } from '../../db/per-connection.ts'
import { addFile, type FileSet } from '../../files/file-set.ts'
import { filesEditable } from '../../files/find/members.ts'
import type { Storage } from '../../media/storage.ts'
import { question } from '../../reader/question.ts'
import { dismissedPairs } from '../queries.ts'
import { libraryState } from './contents-queries.ts'
import { identicalFiles } from './identical.ts'
import { MOST_DISCARDED } from './schema.ts'
import { smallerPictures } from './smaller.ts'

/** Files that can be merged without a loss; of smaller pictures, the first is the one that is retained. */
export interface Proposal {
  why: 'identical' | 'smaller'
  /** By their row numbers. */
  files: number[]
  /** Which of the discarded files is the first of this item. */
  from: number
}

/** What is proposed to a user. */
export interface Proposals {
  /** As in `libraryState`, before the proposals were read. */
  state: string
  items: Proposal[]
}

export interface ProposalDeps {
  db: Db
  storage: Storage
}

// Bytes of an item, with its files.
const ITEM_BYTES = 200
// In bytes, of all cached proposals.
const MOST_BYTES = 16 * 2 ** 20

const cacheOf = perConnection(
  () =>
    new LRUCache<string, Proposals>({
      maxSize: MOST_BYTES,
      // Larger ones are cached alone: each page would find all of them again.
      sizeCalculation: ({ items }) => Math.min((items.length + 1) * ITEM_BYTES, MOST_BYTES),
    }),
)
const turnOf = perConnection(() => pLimit(1))

/**
 * Returns what is proposed to a user: files of equal contents first, then smaller pictures. It is cached until anything
 * changes that it is made of, and found anew in turns with other requests; it may miss changes that happen meanwhile.
 */
export async function findProposals(deps: ProposalDeps, user: User): Promise<Proposals> {
  const cache = cacheOf(deps.db)
  const key = keyOf(user)
  const current = () => {
    const known = cache.get(key)
    return known?.state === libraryState(deps.db).proposals ? known : null
  }
  return (
    current() ??
    turnOf(deps.db)(async () => {
      const proposals = current() ?? (await find(deps, user))
      cache.set(key, proposals)
      return proposals
    })
  )
}

/**
 * Caches what is left of a user's proposals after some were merged, if nothing else has changed since that `state`.
 * When nothing is left, all are found anew.
 */
export function keepProposals({ db }: ProposalDeps, user: User, { state, items }: Proposals): void {
  if (items.length === 0 || libraryState(db).proposals !== state) return
  cacheOf(db).set(keyOf(user), { state, items })
}

// All admins may edit the same files.
function keyOf(user: User): string {
  return user.is_admin ? 'admin' : String(user.id)
}

async function find(deps: ProposalDeps, user: User): Promise<Proposals> {
  const { db } = deps
  const state = libraryState(db).proposals
  const pause = createPause()
  const files = await mergeableFiles(db, user)
  const dismissed = dismissedPairs(db)
  const identical = await identicalFiles(db, { files, dismissed }, pause)
  let others: FileSet = new Uint32Array(files.length)
  for (const equal of identical) for (const rid of equal) others = addFile(others, rid)
  const smaller = await smallerPictures(deps, { files, dismissed, others }, pause)
  const items: Proposal[] = []
  for (const files of identical) addItems(items, { why: 'identical', files })
  await pause()
  for (const files of smaller) addItems(items, { why: 'smaller', files })
  return { state, items }
}

/** Adds the items of files that can be merged: several when there are many. */
export function addItems(items: Proposal[], same: Omit<Proposal, 'from'>): void {
  for (let from = 0; from < same.files.length - 1; from += MOST_DISCARDED) {
    items.push({ ...same, from })
  }
}

async function mergeableFiles(db: Db, viewer: User): Promise<FileSet> {
  const bytes = Buffer.from(await editableFiles(db, { viewer }), 'base64')
  const files = new Uint32Array(bytes.length / 4)
  new Uint8Array(files.buffer).set(bytes)
  return files
}

/** Returns the set of the files that a user may edit and that are not in the trash, in base64. */
export const editableFiles = question('overview', 'editable', (db: Db, asked: { viewer: User }) => {
  const { viewer } = seenNow(db, asked)
  const files = filesEditable(db, viewer)
  return Buffer.from(files.buffer, files.byteOffset, files.byteLength).toString('base64')
})
