import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Config, parseConfig } from '../../../src/base/config.ts'
import { settingsOfStore } from '../../../src/base/store-settings.ts'
import { acquireLock } from '../../../src/db/lock.ts'
import { rescanInProcess, rescanSettings } from '../../../src/duplicates/rescan/run.ts'
import { IN_BERLIN, takenJpeg } from '../../support/dates/dated-library.ts'
import { eventually } from '../../support/eventually.ts'
import { form, openLibrary } from '../../support/harness.ts'
import { fakeFfmpeg, WEBM } from '../../support/media/fake-ffmpeg.ts'
import { temporaryFolder } from '../../support/media/media.ts'
import { spawnServer } from '../../support/spawn.ts'
import { signIn } from '../../torture/upload.ts'

/** What no rescan reads: settings of requests, of imports and of a server's start. */
const OF_SERVER = new Set<keyof Config>([
  // It writes JSON, of which the server makes what it writes itself.
  'logFormat',
  // The library says that, and no setting.
  'oldPlace',
  ...(['host', 'port', 'importPath', 'importSettle', 'corsOrigins', 'trustedProxies'] as const),
  ...(['adminUsername', 'adminPassword', 'adminPasswordFile', 'jwtSecret'] as const),
  ...(['accessTokenTtl', 'refreshTokenTtl', 'contentTokenTtl'] as const),
  ...(['authRateLimit', 'clientRequests', 'passwordMinLength', 'confirmPassword'] as const),
  ...([
    'publicUrl',
    'maxUploadSize',
    'userQuota',
    'userChanges',
    'trashKeep',
    'auditKeep',
    'duplicateRescanInterval',
    'backupDir',
    'backupInterval',
    'scrubInterval',
    'isScrubReading',
    'formerSettings',
  ] as const),
])

// It comes by the standard input.
const KEY = { AWS_ACCESS_KEY_ID: 'AKEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the secret' }

describe('a rescan that the server starts', () => {
  it('has every setting that it may read', () => {
    const given = parseConfig({
      CACHE_SIZE: '5MiB',
      CONTENTS: 's3://family/photos',
      CONTENTS_CACHE: '6GiB',
      S3_ENDPOINT: 'https://s3.example.org',
      S3_REGION: 'garage',
      S3_PATH_STYLE: 'off',
      S3_VERIFY: 'read',
      ...KEY,
      DATA_DIR: '/pictures',
      DECODER_TIME: '90s',
      DECODER_WALLS: 'user',
      DISK_RESERVE: '7MiB',
      DUPLICATE_HASH_THRESHOLD: '3',
      FFMPEG_PATH: '/opt/ffmpeg',
      LOG_LEVEL: 'warn',
      THUMBNAIL_CACHE: '9GiB',
      TIME_ZONE: 'Antarctica/Troll',
    })
    const unset = parseConfig({})
    const settings = rescanSettings(given)
    assert.doesNotMatch(JSON.stringify(settings), /AKEXAMPLE|the secret/)
    assert.deepEqual(settingsOfStore(given.store).key, KEY)
    const read = parseConfig({ ...settings, ...KEY })
    for (const name of Object.keys(given) as (keyof Config)[]) {
      if (OF_SERVER.has(name)) continue
      assert.notDeepEqual(given[name], unset[name], `${name} is to be given here`)
      assert.deepEqual(read[name], given[name], name)
    }
  })

  it('reads late what clock a picture had where the server is', async () => {
    const library = await openLibrary({ TIME_ZONE: 'Europe/Berlin' })
    try {
      const { token } = await library.join('Ann', { is_admin: true })
      const bytes = await takenJpeg()
      const { id } = (await library.upload(token, bytes)).body
      const { config, db } = library.deps
      // As if the system had refused to read it at the upload.
      db.run("UPDATE files SET date_source = 'upload', content_offset = NULL, content_datetime = 0")
      db.run("UPDATE file_details SET derivative_state = 'pending', exif = '{}'")
      const events = rescanInProcess(config, { signal: new AbortController().signal })
      const types: string[] = []
      for await (const { type } of events) types.push(type)
      assert.equal(types.at(-1), 'done')
      const { body } = await library.call('GET', `/files/${id}`, { token })
      const { content_datetime, content_offset, date_source } = body
      assert.deepEqual([content_datetime, content_offset, date_source], IN_BERLIN)
    } finally {
      await library.close()
    }
  })

  it('ends with the server, however that ends', { timeout: 120_000 }, async () => {
    const folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    const ffmpeg = await fakeFfmpeg(folder.path)
    ffmpeg.answer('no process')
    const server = await spawnServer({ dataDir, env: { FFMPEG_PATH: ffmpeg.path } })
    const token = await signIn(server)
    const send = (path: string, body?: FormData) =>
      fetch(`${server.url}/api/v1${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        ...(body && { body }),
      })
    assert.equal((await send('/files', form(WEBM, 'film.webm'))).status, 201)
    ffmpeg.answer('waits')
    // Somebody who doesn't read what it tells has left, and ends it.
    const cutOff = assert.rejects(send('/files/duplicates/rescan').then((events) => events.text()))
    await ffmpeg.waiting()
    const lock = () => acquireLock(join(dataDir, 'rescan.lock'), 'it is running')
    assert.throws(lock, { message: 'it is running' })
    await server.stop('SIGKILL')
    await cutOff
    await eventually(() => {
      try {
        lock().release()
        return true
      } catch {
        return false
      }
    })

    const next = await spawnServer({ dataDir, env: { FFMPEG_PATH: ffmpeg.path } })
    const answer = await fetch(`${next.url}/api/v1/files/duplicates/rescan`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await signIn(next)}` },
    })
    await ffmpeg.waiting()
    const told = answer.text()
    assert.equal(await next.stop(), 0)
    // Ended, not cut off, and not because it came to its own end.
    assert.ok(!(await told).includes('"done"'))
    lock().release()
    await folder.remove()
  })
})
