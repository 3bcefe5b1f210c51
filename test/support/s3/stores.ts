import assert from 'node:assert/strict'
import { type EngineName, factsOf, openEngine } from './engines.ts'
import { elements, send, type Target } from './signed.ts'
import { openSmallS3 } from './small-s3.ts'

/** A store for one test: of others, or the small one in this process. */
export interface Store extends Target {
  /** The small one goes on doing what it is asked, but nobody hears of it. */
  kill(): Promise<void>
  restart(): Promise<void>
  close(): Promise<void>
  listsUploads: boolean
}

export async function openStore(name: EngineName | 'small'): Promise<Store> {
  if (name !== 'small') return { ...(await openEngine(name)), ...factsOf(name) }
  const small = await openSmallS3({ prefix: 'family/' })
  return {
    ...small.settings,
    listsUploads: true,
    async kill() {
      small.trouble = () => 'lost'
    },
    async restart() {
      small.trouble = () => undefined
    },
    close: small.close,
  }
}

/** Returns the blobs of all contents in a store, of the library at `/family`. */
export async function contentsIn(store: Target): Promise<string[]> {
  const names: string[] = []
  for (let more = {}; ; ) {
    const query = { 'list-type': '2', prefix: 'family/files/', ...more }
    const { text, status } = await send(store, 'GET', '', { query })
    assert.equal(status, 200, text)
    names.push(...elements(text, 'Key'))
    const [token] = elements(text, 'NextContinuationToken')
    if (token === undefined) break
    more = { 'continuation-token': token }
  }
  return names.map((name) => name.slice(-32)).filter((name) => /^[0-9a-f]{32}$/.test(name))
}
