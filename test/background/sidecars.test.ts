import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runBackground } from '../../src/background/run.ts'
import { write } from '../../src/db/write.ts'
import { importDate } from '../../src/files/dates/file-date.ts'
import { commitContent, createFile, keepContent } from '../../src/files/upload.ts'
import type { Sidecar } from '../../src/media/description.ts'
import { useLibraryInRome } from '../support/dates/in-rome.ts'
import { picture } from '../support/harness.ts'

const rome = useLibraryInRome()
const TAKEN = Date.UTC(2019, 6, 6, 23, 30)
const LAST_CHANGED = Date.UTC(2021, 1, 3)

/** Creates a file of another picture each time as an import does, with a sidecar, and returns its id. */
async function bring(fields: object): Promise<string> {
  const { deps } = rome.library
  const bytes = await picture()
  const temporary = await deps.storage.createTemporary(bytes.length)
  await temporary.write(bytes)
  const base64 = Buffer.from(JSON.stringify(fields)).toString('base64')
  const sidecars: Sidecar[] = [{ kind: 'json', base64 }]
  const copied = await temporary.finish()
  const content = await keepContent(deps, { temporary, ...copied }, rome.ann.id, sidecars)
  const now = deps.clock()
  const dates = { ofContent: content.derivatives.dates, name: null, modified: LAST_CHANGED }
  const dated = importDate(dates, { now, timeZone: deps.config.timeZone })
  const user = { id: rome.ann.id, is_admin: true, can_create: true, name: 'Ann' }
  return commitContent(deps, content, () =>
    write(
      deps.db,
      { now },
      (tx) => createFile(tx, user, content, { original_name: 'x.jpg', ...dated }).id,
    ),
  )
}

it('the work on files keeps the places and dates that came from beside their contents', async () => {
  const { deps } = rome.library
  const geoData = { latitude: 45.44, longitude: 12.34 }
  const photoTakenTime = { timestamp: String(TAKEN / 1000) }
  const ids = [
    await bring({ geoData }),
    await bring({ photoTakenTime }),
    await bring({ geoData, photoTakenTime }),
  ]
  const read = () =>
    Promise.all(
      ids.map(async (id) => {
        const { body } = await rome.call('GET', `/files/${id}`)
        return [body.exif, body.content_datetime, body.content_offset, body.date_source]
      }),
    )
  const before = await read()
  const taken = [new Date(TAKEN).toISOString(), 120, 'xmp']
  const changed = [new Date(LAST_CHANGED).toISOString(), 60, 'mtime']
  assert.deepEqual(before, [
    [geoData, ...changed],
    [{}, ...taken],
    [geoData, ...taken],
  ])
  // As by another version: everything is looked at again.
  await runBackground(deps).over
  deps.db.run('DELETE FROM background_work')
  let reads = 0
  const { decoder } = deps
  deps.decoder = {
    ...decoder,
    version: 'another',
    read: (input) => {
      reads++
      return decoder.read(input)
    },
  }
  await runBackground(deps).over
  assert.ok(reads > 0)
  assert.deepEqual(await read(), before)
  const { body } = await rome.call('GET', '/files?filter={g=1}')
  const found = body.items.map(({ id }: { id: string }) => id).sort()
  assert.deepEqual(found, [ids[0], ids[2]].sort())
})
