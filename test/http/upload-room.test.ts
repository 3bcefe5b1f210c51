import assert from 'node:assert/strict'
import { readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createDisk } from '../../src/base/disk.ts'
import { readUpload } from '../../src/http/multipart.ts'
import { openStorage } from '../../src/media/storage.ts'
import { log, raw, type SmallServer, startSmallServer } from '../support/small-server.ts'

/** Where the API takes them. */
const FORMS = '/api/v1/files'
const START =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n' +
  'Content-Type: image/jpeg\r\n\r\n'
const HEAD = `POST ${FORMS} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n`

describe('an upload to a disk without room', () => {
  let server: SmallServer
  /** How many parts of bodies were read. */
  let reads = 0

  before(async () => {
    server = await startSmallServer(
      async (app, folder) => {
        const { bsize, bavail } = statfsSync(folder)
        const disk = createDisk(folder, 1.1 * bsize * bavail)
        const storage = await openStorage(folder, { disk })
        app.post(FORMS, async (c) => {
          const { body } = c.req.raw
          const getReader = body?.getReader.bind(body)
          if (body && getReader) {
            body.getReader = (() => {
              reads++
              return getReader()
            }) as typeof body.getReader
          }
          const { file } = await readUpload(c, { storage, maxUploadSize: 2 ** 20, log })
          await file.temporary.discard()
          return c.json({})
        })
      },
      { errorsOnly: true },
    )
  })
  after(() => server.stop())

  const assertRefused = (answer: string) => {
    assert.match(answer, /^HTTP\/1\.1 507 /)
    assert.match(answer, /"code":"insufficient_storage"/)
    assert.deepEqual(readdirSync(join(server.folder, 'tmp')), [])
  }

  it('is refused before its body is read when its length is known', async () => {
    // No more of the body ever comes.
    const answer = await raw(server, `${HEAD}Content-Length: 100000\r\n\r\n${START}`)
    assertRefused(answer)
    assert.equal(reads, 0)
  })

  it('is refused while it is read when its length is not known', async () => {
    const size = (START.length + 100_000).toString(16)
    const chunk = `${size}\r\n${START}${'x'.repeat(100_000)}\r\n`
    assertRefused(await raw(server, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk}`))
    assert.equal(reads, 1)
  })
})
