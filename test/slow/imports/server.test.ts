import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '../../../src/base/config.ts'
import { type Db, openDatabase } from '../../../src/db/client.ts'
import { lockImports } from '../../../src/imports/import.ts'
import type { ImportEvent } from '../../../src/imports/schema.ts'
import { eventually } from '../../support/eventually.ts'
import { picture } from '../../support/harness.ts'
import { namesIn, putFile, rest } from '../../support/imports.ts'
import { withoutInsight } from '../../support/processes.ts'
import { type SpawnedServer, spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { blobNames } from '../../torture/import.ts'
import { signIn } from '../../torture/upload.ts'

const COUNT = 40
const LARGE = 300 * 2 ** 20
const MEMORY_LIMIT = 64 * 2 ** 20

let server: SpawnedServer
let token: string
let db: Db
let folder: string
before(async () => {
  server = await spawnServer()
  token = await signIn(server)
  db = openDatabase(join(server.dataDir, 'tagstead.sqlite'))
  folder = join(server.dataDir, 'import')
})
after(async () => {
  db.close()
  await server.stop()
})

const count = (table: string) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n

/** Imports the folder and hands on each event as it arrives. */
async function importFolder(onEvent: (event: ImportEvent) => void, signal?: AbortSignal) {
  const response = await fetch(`${server.url}/api/v1/files/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    signal: signal ?? null,
  })
  assert.equal(response.status, 200)
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (const line of Buffer.from(chunk).toString().trimEnd().split('\n')) {
      onEvent(JSON.parse(line))
    }
  }
}

/** Resolves when no import runs any more. */
async function untilFree(): Promise<void> {
  await eventually(() => {
    try {
      lockImports(parseConfig({ DATA_DIR: server.dataDir })).release()
      return true
    } catch {
      return false
    }
  })
}

describe('an import by a server', () => {
  it('ends with the current file, and says so, when the server is asked to stop', async () => {
    const stopped = await spawnServer()
    const source = join(stopped.dataDir, 'import')
    for (let n = 0; n < COUNT; n++) putFile(source, `${n}.jpg`, await picture(n), n)
    const response = await fetch(`${stopped.url}/api/v1/files/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await signIn(stopped)}` },
    })
    let text = ''
    let end: Promise<number | null> | undefined
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk)
      end ??= stopped.stop()
    }
    const last = JSON.parse(text.trimEnd().split('\n').at(-1)!) as ImportEvent
    assert.deepEqual([last.type, last.reason], ['done', 'the server stops'])
    assert.ok(last.total! < COUNT)
    assert.equal(await end, 0)
  })

  it('stops after the current file when the client hangs up, with nothing half done', async () => {
    for (let n = 0; n < COUNT; n++) putFile(folder, `${n}.jpg`, await picture(n), n)
    const client = new AbortController()
    const events: ImportEvent[] = []
    const hungUp = importFolder((event) => {
      events.push(event)
      if (event.index === 3) client.abort()
    }, client.signal)
    await assert.rejects(hungUp)
    await untilFree()
    const left = namesIn(folder).length
    assert.ok(left > COUNT - 15, `${left} of ${COUNT} are left`)
    assert.equal(count('files'), COUNT - left)
    assert.equal(blobNames(server.dataDir).length, COUNT - left)
    assert.equal(count('import_journal'), 0)
    assert.deepEqual(namesIn(join(server.dataDir, 'tmp')), [])
  })

  it('tells of each file when it is done, not at the end', async () => {
    const left = namesIn(folder).length
    const leftAt: number[] = []
    await importFolder(() => leftAt.push(namesIn(folder).length))
    assert.equal(leftAt.length, left + 2)
    assert.ok(leftAt[0]! > left - 10)
    assert.ok(leftAt[1]! > left - 10)
    assert.equal(leftAt.at(-1), 0)
    assert.equal(count('files'), COUNT)
  })

  it('takes 300 MB in little memory', { skip: withoutInsight, timeout: 120_000 }, async () => {
    const path = putFile(folder, 'large.jpg', await picture(COUNT))
    truncateSync(path, LARGE)
    rest(path)
    const status = (field: string) => {
      const text = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
      return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
    }
    const idle = status('VmRSS')
    writeFileSync(`/proc/${server.process.pid}/clear_refs`, '5')
    const events: ImportEvent[] = []
    await importFolder((event) => events.push(event))
    const { operation: _, ...done } = events.at(-1)!
    assert.deepEqual(done, { type: 'done', total: 1, imported: 1, skipped: 0, errors: 0 })
    const growth = status('VmHWM') - idle
    assert.ok(growth < MEMORY_LIMIT, `${growth} bytes`)
  })
})
