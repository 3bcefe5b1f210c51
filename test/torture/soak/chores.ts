import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { RescanEvent } from '../../../src/duplicates/rescan/schema.ts'
import { commandLine, type Runtime } from '../../support/spawn.ts'
import { createImporter } from '../kill/importer.ts'
import { callWith } from '../worlds/api.ts'
import { BUSY } from '../worlds/client.ts'
import type { Address, Asking } from './asking.ts'
import { count } from './count.ts'

/** Files that are imported at once. */
const IMPORTED = 10
/** Milliseconds after a rescan and after a backup. */
const PAUSE = 3000

/** How the load is told to end, and whether the server is stopped meanwhile, so that connections and locks may be lost. */
export interface Lasting {
  signal: AbortSignal
  isStopped: boolean
}

/** How often each chore came to its end, and how often one failed while the server was stopped. */
type Done = Map<string, number>

/** Resolves after a pause, or when the load ends. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
}

/** Imports files, numbered from `first` on, and deletes them for good; in the end none is left in the folder. */
export async function importMuch(
  { call }: Asking,
  { dataDir, first }: { dataDir: string; first: number },
  { signal, isStopped }: Lasting,
  done: Done,
): Promise<void> {
  const importer = createImporter(dataDir, first)
  while (!signal.aborted || importer.left().length > 0) {
    if (importer.left().length === 0) await importer.add(IMPORTED)
    await importer.run(call, isStopped)
    const list = await ask(call, 'GET', '/files?search=import-&limit=200')
    const { items } = list as { items: { id: string; original_name: string }[] }
    const found = new Set(items.map(({ original_name }) => original_name))
    for (const name of importer.forget()) {
      assert.ok(found.has(name), `${name} was imported and is not there`)
      count(done, 'imports')
    }
    if (items.length === 0) continue
    const file_ids = items.map(({ id }) => id)
    await ask(call, 'POST', '/files/bulk/delete', { file_ids })
    await ask(call, 'POST', '/files/bulk/permanent', { file_ids })
  }
}

/** Asks until the server isn't busy; returns the answer. */
async function ask(call: Asking['call'], ...request: Parameters<Asking['call']>): Promise<unknown> {
  for (;;) {
    const response = await call(...request)
    const answer = await response.text()
    if (response.ok) return answer === '' ? null : JSON.parse(answer)
    assert.ok(BUSY.includes(response.status), `${request[1]}: ${response.status} ${answer}`)
  }
}

/** Rescans again and again. */
export async function rescanMuch({ call }: Asking, lasting: Lasting, done: Done): Promise<void> {
  while (!lasting.signal.aborted) {
    const response = await call('POST', '/files/duplicates/rescan')
    const answer = await response.text()
    assert.equal(response.status, 200, answer)
    const last = RescanEvent.parse(JSON.parse(answer.trimEnd().split('\n').at(-1)!))
    // A stopped server may have the lock of the database.
    assert.ok(last.type === 'done' || lasting.isStopped, answer)
    count(done, last.type === 'done' ? 'rescans' : 'rescans that failed')
    await pause(PAUSE, lasting.signal)
  }
}

/** Makes one backup after another by the command, of which the last one is kept. */
export async function backUpMuch(
  { dataDir, backups, runtime }: { dataDir: string; backups: string; runtime: Runtime },
  lasting: Lasting,
  done: Done,
): Promise<void> {
  const [program, ...own] = commandLine(runtime)
  while (!lasting.signal.aborted) {
    const child = spawn(program, [...own, 'backup', backups, '--keep', '1,1,1', '--json'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    assert.ok(code === 0 || lasting.isStopped, `backup: ${code} ${complaints}`)
    count(done, code === 0 ? 'backups' : 'backups that failed')
    await pause(PAUSE, lasting.signal)
  }
}

/** Signs in, renews the session twice and ends it, again and again. */
export async function signInMuch(
  server: Address,
  { call }: Asking,
  { signal }: Lasting,
  done: Done,
): Promise<void> {
  while (!signal.aborted) {
    const credentials = { name: 'ann', password: server.adminPassword }
    let tokens = (await ask(call, 'POST', '/auth/login', credentials)) as Record<string, string>
    for (let n = 0; n < 2; n++) {
      const { refresh_token } = tokens
      tokens = (await ask(call, 'POST', '/auth/refresh', { refresh_token })) as typeof tokens
    }
    const ended = await callWith(server, tokens.access_token!)('POST', '/auth/logout')
    assert.equal(ended.status, 204, await ended.text())
    count(done, 'sign-ins')
    await pause(PAUSE / 10, signal)
  }
}
