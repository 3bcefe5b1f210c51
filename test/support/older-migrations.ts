import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Copies the migrations that come before one into a folder, and returns their path. */
export function migrationsBefore(name: string, folder: string): string {
  const copy = join(folder, 'drizzle')
  cpSync('drizzle', copy, { recursive: true })
  const journal = join(copy, 'meta', '_journal.json')
  const all: { entries: { tag: string }[] } = JSON.parse(readFileSync(journal, 'utf8'))
  const end = all.entries.findIndex(({ tag }) => tag.endsWith(`_${name}`))
  assert.ok(end > 0)
  writeFileSync(journal, JSON.stringify({ ...all, entries: all.entries.slice(0, end) }))
  return copy
}
