import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeEverything } from './everything.ts'
import { madeIn } from './exported.ts'
import { exported, seenIn } from './exported-library.ts'
import { type Library, openLibrary } from './harness.ts'
import { runImport } from './imports.ts'

/**
 * Exports a library of `count` files with everything, imports that into an empty one, and exports it again; fails where
 * the two libraries or exports differ.
 */
export async function goRound(count: number): Promise<void> {
  const [one, other] = [await openLibrary(), await openLibrary()]
  try {
    await makeEverything(one, count)
    const { token } = await other.join('ada', { is_admin: true })
    const first = await exportOf(one)
    cpSync(first, join(other.folder, 'import'), { recursive: true, preserveTimestamps: true })
    const events = await runImport(other, token, undefined, { create_users: true })
    const told = events.filter(
      ({ type, status, reason }) => type === 'error' || status === 'error' || reason,
    )
    assert.deepEqual(told, [])
    assert.deepEqual(madeIn(other), madeIn(one))
    const second = await exportOf(other)
    assert.deepEqual(seenIn(second), seenIn(first))
    for (const path of seenIn(first)) {
      const [before, after] = [first, second].map((dir) => readFileSync(join(dir, path)))
      if (after!.equals(before!)) continue
      assert.equal(after!.toString(), before!.toString(), path)
    }
  } finally {
    await one.close()
    await other.close()
  }
}

/** Exports a library into a folder in its data folder, and returns the path. */
export async function exportOf(library: Library): Promise<string> {
  const dir = join(library.folder, 'exported')
  mkdirSync(dir)
  const { told } = await exported(library, dir)
  assert.deepEqual(told, [])
  return dir
}
