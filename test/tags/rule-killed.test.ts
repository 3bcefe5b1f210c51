import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createPasswords } from '../../src/auth/password.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { uuidToBlob } from '../../src/db/columns.ts'
import { newId } from '../../src/db/ids.ts'
import { type Tx, write } from '../../src/db/write.ts'
import { addManyFiles } from '../support/many-files.ts'
import { type SpawnedServer, spawnServer } from '../support/spawn.ts'

const FILES = 20_000
const CHAIN = 5

let dataDir: string
let db: Db
let tags: string[]
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tagstead-rule-'))
  db = openDatabase(join(dataDir, 'tagstead.sqlite'), { migrations: 'drizzle' })
  db.get('PRAGMA busy_timeout = 0')
  const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
  const hash = await passwords.hash('a password for tests')
  tags = write(db, { now: Date.now() }, (tx) => {
    db.run("INSERT INTO users VALUES (1, 'admin', ?, 1, 1, 0)", hash)
    const ids = Array.from({ length: CHAIN + 1 }, (_, index) => addTag(tx, `tag ${index}`))
    addManyFiles(db, FILES, { owner: 1, tags: [1] })
    return ids
  })
})
after(async () => {
  db.close()
  await rm(dataDir, { recursive: true })
})

/** Adds a tag; all but the first hang together by rules. */
function addTag(tx: Tx, name: string): string {
  const id = newId(tx, 'tags')
  const { rid } = db.get<{ rid: number }>(
    'INSERT INTO tags (id, name, name_key, creator_id, is_public) VALUES (?, ?, ?, 1, 0) RETURNING rid',
    uuidToBlob(id),
    name,
    name,
  )!
  if (rid > 2) db.run('INSERT INTO tag_rules VALUES (?, ?, 1)', rid - 1, rid)
  return id
}

async function send(server: SpawnedServer, path: string, body: unknown, token = '') {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { access_token: string } }
}

/** Has the rule made that joins the first tag to the chain, and kills the server at a moment of it. */
async function killWhile(moment: () => Promise<void>): Promise<{ status: number } | null> {
  const server = await spawnServer({ dataDir })
  const login = { name: 'admin', password: 'a password for tests' }
  const token = (await send(server, '/auth/login', login)).body.access_token
  const rule = { then_tag_id: tags[1] }
  const answer = send(server, `/tags/${tags[0]}/rules`, rule, token).catch((error) => {
    // Any other error is the kill.
    if (error instanceof assert.AssertionError) throw error
    return null
  })
  await moment()
  await server.stop('SIGKILL')
  return answer
}

const state = () =>
  db.get<Record<string, number>>(
    `SELECT (SELECT count(*) FROM tag_rules WHERE when_tag_rid = 1) AS rules,
     (SELECT count(*) FROM file_tags WHERE tag_rid > 1) AS pairs,
     (SELECT count(*) FROM audit_log WHERE action = 'file_tag_add') AS entries,
     (SELECT count(*) FROM audit_log WHERE action = 'tag_rule_create') AS rule_entries,
     (SELECT sum(tag_count) FROM files) AS counted_by_file,
     (SELECT sum(file_count) FROM tags) AS counted_by_tag`,
  )
const NOTHING = {
  rules: 0,
  pairs: 0,
  entries: 0,
  rule_entries: 0,
  counted_by_file: FILES,
  counted_by_tag: FILES,
}
const EVERYTHING = {
  rules: 1,
  pairs: FILES * CHAIN,
  entries: FILES,
  rule_entries: 1,
  counted_by_file: FILES * (CHAIN + 1),
  counted_by_tag: FILES * (CHAIN + 1),
}

/** Resolves as soon as the server writes. */
async function untilWriting(): Promise<void> {
  for (;;) {
    try {
      db.run('BEGIN IMMEDIATE')
      db.run('ROLLBACK')
    } catch {
      return
    }
    await delay(1)
  }
}

/** Resolves as soon as the server puts what it has changed into the log of the database. */
async function untilCommitting(): Promise<void> {
  const log = join(dataDir, 'tagstead.sqlite-wal')
  await untilWriting()
  const { size, mtimeMs } = await stat(log)
  for (;;) {
    const now = await stat(log)
    if (now.size > size || now.mtimeMs > mtimeMs) return
  }
}

describe('a rule that is being applied to 20,000 files when the process is killed', () => {
  it('is applied to none of them, when they were being changed', async () => {
    const answer = await killWhile(async () => {
      await untilWriting()
      await delay(Math.random() * 100)
    })
    assert.equal(answer, null)
    assert.deepEqual({ ...state() }, NOTHING)
    assert.equal(
      db.get<{ integrity_check: string }>('PRAGMA integrity_check')?.integrity_check,
      'ok',
    )
  })

  it('is applied to all of them or none, when the change was being committed', async () => {
    const answer = await killWhile(untilCommitting)
    const found = { ...state() }
    assert.deepEqual(found, answer || found.rules === 1 ? EVERYTHING : NOTHING)
    assert.equal(
      db.get<{ integrity_check: string }>('PRAGMA integrity_check')?.integrity_check,
      'ok',
    )
  })
})
