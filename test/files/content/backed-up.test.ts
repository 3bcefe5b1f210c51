import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { acquireLock } from '../../../src/db/lock.ts'
import { derivativeKey, makerOf } from '../../../src/files/content/makers.ts'
import { scheduleRemovals } from '../../../src/files/content/removals.ts'
import { contentsOf } from '../../support/contents.ts'
import { blobOf } from '../../support/files.ts'
import { form, type Library, openLibrary, picture } from '../../support/harness.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder } from '../../support/media/media.ts'

let library: Library
let token: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let ffmpeg: Awaited<ReturnType<typeof fakeFfmpeg>>
/** Resolves when uploads wait no longer for their pictures. */
let isOver: Promise<void>
let end: () => void
before(async () => {
  folder = await temporaryFolder()
  ffmpeg = await fakeFfmpeg(folder.path)
  library = await openLibrary({}, { ffmpeg, wait: () => isOver })
  token = (await library.join('ann', { can_create: true })).token
})
after(async () => {
  await library.close()
  await folder.remove()
})

const prepare = (answer: Parameters<typeof ffmpeg.answer>[0]) => {
  ffmpeg.answer(answer)
  isOver = new Promise((resolve) => {
    end = resolve
  })
}
const upload = async () => {
  const { status, body } = await library.upload(token, WEBM, 'film.webm')
  assert.equal(status, 201)
  return body.id as string
}
/** Removes the content of a file in one way or another. */
const REMOVALS: Record<string, (id: string) => Promise<void>> = {
  async purged(id) {
    for (const path of [`/files/${id}`, `/files/${id}/permanent`]) {
      assert.equal((await library.call('DELETE', path, { token })).status, 204)
    }
  },
  async replaced(id) {
    const body = form(await picture(), 'other.jpg')
    assert.equal((await library.call('PUT', `/files/${id}/content`, { token, body })).status, 200)
  },
}
/** Begins to have something made of a file, and returns what awaits it. */
const LATE: Record<
  string,
  () => Promise<{ id: string; made: (blob: string) => Promise<unknown> }>
> = {
  async 'the picture of an upload'() {
    prepare('waits')
    const uploaded = upload()
    await ffmpeg.waiting()
    end()
    const id = await uploaded
    return { id, made: async (blob) => makerOf(derivativeKey('thumbnail', blob)) }
  },
  async 'a preview'() {
    prepare('frame')
    const id = await upload()
    prepare('waits')
    const looked = library.fetchRaw('GET', `/files/${id}/preview`, { token })
    await ffmpeg.waiting()
    return { id, made: () => looked }
  },
}
/** Where something of a content is. */
const storedOf = (blob: string) =>
  ['files', 'thumbnails', 'previews', 'thumbnails640', 'tmp'].filter((name) => {
    if (name === 'files') return contentsOf(library).has(blob)
    const names = readdirSync(join(library.folder, name), { recursive: true, encoding: 'utf8' })
    return names.some((each) => each.includes(blob))
  })

describe('while a backup is running, the content of a file', () => {
  for (const [what, begin] of Object.entries(LATE)) {
    for (const [how, remove] of Object.entries(REMOVALS)) {
      it(`that is ${how} stays when ${what} comes late`, async () => {
        const { id, made } = await begin()
        const blob = blobOf(library.deps.db, id)
        const backup = acquireLock(join(library.folder, 'backup.lock'), 'another one')
        await remove(id)
        const late = made(blob)
        await ffmpeg.goOn()
        await late
        assert.deepEqual(storedOf(blob), ['files'])
        backup.release()
        await scheduleRemovals(library.deps).stop()
        assert.deepEqual(storedOf(blob), [])
      })
    }
  }
})
