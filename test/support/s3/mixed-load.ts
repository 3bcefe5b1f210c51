import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { signIn } from '../../torture/upload.ts'
import { sha256 } from '../backups.ts'
import { form, picture } from '../harness.ts'
import type { SpawnedServer } from '../spawn.ts'
import { textIn, unzippedBytes, withoutUnzip } from '../zip.ts'

/** How many files there are, about, and bytes that follow a picture at most. */
const [FILES, TAIL] = [20, 2 ** 20]
/** Bytes of a large file, which a store gets in parts, and of a request that brings a part of it. */
const [LARGE, PATCH] = [66 * 2 ** 20, 24 * 2 ** 20]
/** Answers of a server whose store is away, beside those of success. */
const AWAY = 503
const TUS = { 'Tus-Resumable': '1.0.0' }

/** A file as those who change it know it. */
interface Known {
  /** All its contents so far. The last one may not be there yet when `isAsked`. */
  versions: Buffer[]
  isAsked: boolean
  /** Whether it was asked to be deleted. */
  isLeaving: boolean
  isBusy: boolean
}

/**
 * Makes people who use a server all at once: they upload pictures, and large files in parts, replace, delete for good,
 * read ranges, and download archives. They know what was acknowledged, and throw when anything else comes back.
 */
export function createMixedLoad() {
  const files = new Map<string, Known>()
  const gone: string[] = []
  const tail = randomBytes(LARGE)
  let server: SpawnedServer
  let token = ''
  /** The large file that is on its way. */
  let large: { path: string; bytes: Buffer } | null = null
  const counts = {
    ...{ uploaded: 0, large: 0, replaced: 0, deleted: 0, read: 0, archives: 0 },
    refused: 0,
  }

  async function ask(method: string, path: string, init: Omit<RequestInit, 'method'> = {}) {
    const headers = { Authorization: `Bearer ${token}`, ...(init.headers as object) }
    const answer = await fetch(`${server.url}/api/v1${path}`, { method, ...init, headers })
    if (answer.status === AWAY) counts.refused++
    return answer
  }
  /** Returns the answer if it has one of the statuses, and null if the store is away. */
  async function expect(statuses: number[], ...asked: Parameters<typeof ask>) {
    const answer = await ask(...asked)
    if (answer.status === AWAY) return void (await answer.arrayBuffer())
    assert.ok(statuses.includes(answer.status), `${asked[0]} ${asked[1]}: ${answer.status}`)
    return answer
  }

  const fresh = async () =>
    Buffer.concat([await picture(randomInt(1000)), randomBytes(randomInt(TAIL))])
  const nameOf = (bytes: Buffer) => `${sha256(bytes).slice(0, 12)}.jpg`
  const idOf = async (answer: Response) => ((await answer.json()) as { id: string }).id
  const add = (id: string, bytes: Buffer) =>
    files.set(id, { versions: [bytes], isAsked: false, isLeaving: false, isBusy: false })

  async function withFile(work: (id: string, known: Known) => Promise<void>): Promise<void> {
    const free = [...files].filter(([, known]) => !known.isBusy && !known.isLeaving)
    if (free.length === 0) return
    const [id, known] = free[randomInt(free.length)]!
    known.isBusy = true
    try {
      await work(id, known)
    } finally {
      known.isBusy = false
    }
  }

  async function upload(): Promise<void> {
    const bytes = await fresh()
    const answer = await expect([201], 'POST', '/files', { body: form(bytes, nameOf(bytes)) })
    if (!answer) return
    add(await idOf(answer), bytes)
    counts.uploaded++
  }

  const replace = () =>
    withFile(async (id, known) => {
      const bytes = await fresh()
      known.versions.push(bytes)
      known.isAsked = true
      const body = form(bytes, nameOf(bytes))
      const answer = await expect([200], 'PUT', `/files/${id}/content`, { body })
      known.isAsked = false
      if (answer) {
        await answer.arrayBuffer()
        counts.replaced++
      } else known.versions.splice(known.versions.indexOf(bytes), 1)
    })

  async function removeForGood(id: string): Promise<void> {
    await expect([204, 404], 'DELETE', `/files/${id}`)
    await expect([204, 404], 'DELETE', `/files/${id}/permanent`)
    files.delete(id)
    gone.push(id)
    counts.deleted++
  }
  const remove = () =>
    withFile(async (id, known) => {
      known.isLeaving = true
      await removeForGood(id)
    })

  async function readRange(): Promise<void> {
    const all = [...files]
    if (all.length === 0) return
    const [id, known] = all[randomInt(all.length)]!
    const start = randomInt(known.versions.at(-1)!.length)
    const end = start + randomInt(2 ** 18)
    const headers = { Range: `bytes=${start}-${end}` }
    const answer = await expect([206, 404, 416], 'GET', `/files/${id}/content`, { headers })
    const got = answer && Buffer.from(await answer.arrayBuffer())
    if (answer?.status !== 206) return
    const isOfOne = known.versions.some((bytes) => bytes.subarray(start, end + 1).equals(got!))
    assert.ok(isOfOne, `a range of ${id}`)
    counts.read++
  }

  async function readArchive(): Promise<void> {
    const small = ([, { versions, isBusy, isLeaving }]: [string, Known]) =>
      versions[0]!.length < LARGE && !isBusy && !isLeaving
    const some = [...files].filter(small).slice(-3)
    if (withoutUnzip || some.length === 0) return
    for (const [, known] of some) known.isBusy = true
    try {
      const body = JSON.stringify({ file_ids: some.map(([id]) => id) })
      const headers = { 'Content-Type': 'application/json' }
      const asked = await expect([200], 'POST', '/files/archive', { body, headers })
      if (!asked) return
      const { token } = (await asked.json()) as { token: string }
      const answer = await expect([200], 'GET', `/files/archive?access_token=${token}`)
      if (!answer) return
      const bytes = new Uint8Array(await answer.arrayBuffer())
      const found = unzippedBytes(bytes)
      // What could not be read is told, while the store is away.
      const isWhole = found.length === some.length
      const missing = isWhole ? '' : textIn(bytes, 'MISSING.txt')
      const digests = some.map(([, { versions }]) => sha256(versions.at(-1)!))
      for (const file of found.slice(0, some.length)) {
        assert.ok(digests.includes(file.sha256) || missing.includes(file.name), file.name)
      }
      if (isWhole) counts.archives++
      else counts.refused++
    } finally {
      for (const [, known] of some) known.isBusy = false
    }
  }

  async function sendLarge(): Promise<void> {
    if (!large) {
      const bytes = Buffer.concat([await picture(randomInt(1000)), randomBytes(16), tail])
      const metadata = `filename ${Buffer.from(nameOf(bytes)).toString('base64')}`
      const length = { 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata }
      const begun = await ask('POST', '/uploads', { headers: { ...TUS, ...length } })
      assert.equal(begun.status, 201)
      large = { path: begun.headers.get('Location')!.replace('/api/v1', ''), bytes }
    }
    const { path, bytes } = large
    const { status, headers } = await ask('HEAD', path, { headers: TUS })
    assert.equal(status, 200)
    let id = headers.get('Upload-File-Id')
    if (id === null) {
      const at = Number(headers.get('Upload-Offset'))
      const type = { 'Content-Type': 'application/offset+octet-stream' }
      const sent = await expect([204], 'PATCH', path, {
        headers: { ...TUS, ...type, 'Upload-Offset': String(at) },
        body: Uint8Array.from(bytes.subarray(at, at + PATCH)),
      })
      id = sent?.headers.get('Upload-File-Id') ?? null
    }
    if (id === null) return
    add(id, bytes)
    large = null
    counts.large++
    const others = [...files].filter((one) => one[1].versions[0]!.length > LARGE && one[0] !== id)
    for (const [other, known] of others) {
      if (known.isBusy || known.isLeaving) continue
      known.isLeaving = true
      await removeForGood(other)
    }
  }

  function change(): Promise<void> {
    const choice = randomInt(10)
    if (choice < 4 || files.size < 3) return upload()
    if (choice < 7) return replace()
    return files.size > FILES || choice === 9 ? remove() : upload()
  }

  async function requireFile(id: string, known: Known): Promise<void> {
    const answer = await ask('GET', `/files/${id}/content`)
    if (known.isLeaving && answer.status === 404) {
      await answer.arrayBuffer()
      files.delete(id)
      gone.push(id)
      return
    }
    assert.equal(answer.status, 200, `${id}: ${await answer.clone().text()}`)
    const got = Buffer.from(await answer.arrayBuffer())
    const last = known.versions.at(-1)!
    if (!got.equals(last)) {
      assert.ok(known.isAsked && got.equals(known.versions.at(-2)!), `the bytes of ${id}`)
      known.versions.pop()
    }
    known.isAsked = false
    if (known.isLeaving) await removeForGood(id)
  }

  return {
    counts,
    /** Signs in at a server, which all that follows asks. */
    async use(used: SpawnedServer): Promise<void> {
      server = used
      token = await signIn(server)
      // The first file starts the decoder, which takes longer than all that follows.
      await upload()
    },
    /** Begins; `stop` lets each one end what was asked, or fail. Rejects with the first AssertionError. */
    start() {
      let isOver = false
      const repeat = async (work: () => Promise<void>) => {
        while (!isOver) {
          // There may be nothing to do yet.
          await setImmediate()
          await work().catch((error) => {
            // A connection may be cut, which is why there is no answer.
            if (error instanceof assert.AssertionError) throw error
          })
        }
      }
      const readers = () => (randomInt(6) === 0 ? readArchive() : readRange())
      const all = Promise.all([change, change, sendLarge, readers].map(repeat))
      // It is told by `stop`.
      all.catch(() => {})
      return {
        /** No further step begins. */
        end: () => {
          isOver = true
        },
        stop: async () => {
          isOver = true
          await all
        },
      }
    },
    /** Throws unless all that was acknowledged is there, and what was not is there as a whole or not at all. */
    async requireAll(): Promise<void> {
      for (const [id, known] of [...files]) await requireFile(id, known)
      for (const id of gone.splice(0)) {
        assert.equal((await ask('GET', `/files/${id}/content`)).status, 404)
      }
    },
    /** Ends what is on its way. */
    async finish(): Promise<void> {
      while (large) await sendLarge()
    },
  }
}
