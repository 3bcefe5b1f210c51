import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openDatabase } from '../../../src/db/client.ts'
import type { ImportEvent } from '../../../src/imports/schema.ts'
import { digestOf } from '../../support/imports.ts'
import type { SpawnedServer } from '../../support/spawn.ts'
import { signIn } from '../upload.ts'

/** Imports the server's folder and returns the events; throws when the server is gone. */
export async function importOnce(server: SpawnedServer, body: object = {}): Promise<ImportEvent[]> {
  const events: ImportEvent[] = []
  await readEvents(server, (event) => events.push(event), body)
  return events
}

/** Imports the server's folder and passes on each event; throws when the server is gone. */
export async function readEvents(
  server: SpawnedServer,
  onEvent: (event: ImportEvent) => void,
  body: object = {},
) {
  const response = await fetch(`${server.url}/api/v1/files/import`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await signIn(server)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200)
  let rest = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onEvent(JSON.parse(line))
  }
}

/** Returns the digests of all files of the library, each read from its content. */
export function storedDigests(dataDir: string): string[] {
  const db = openDatabase(join(dataDir, 'tagstead.sqlite'))
  try {
    assert.deepEqual(db.get('PRAGMA integrity_check'), { integrity_check: 'ok' })
    assert.deepEqual(db.all('PRAGMA foreign_key_check'), [])
    const rows = db.all<{ blob: string; sha256: Uint8Array }>(
      'SELECT blob, sha256 FROM files JOIN file_details ON file_rid = rid',
    )
    return rows.map(({ blob, sha256: digest }) => {
      const found = digestOf(join(dataDir, 'files', blob.slice(0, 2), blob))
      assert.equal(found, Buffer.from(digest).toString('hex'))
      return found
    })
  } finally {
    db.close()
  }
}
