import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Skip } from './test.ts'

const DESCRIPTORS = '/proc/self/fd'

/** Why this machine can't name the files that a process has open; false where it can. */
export const lacksDescriptors: Skip = !existsSync(DESCRIPTORS) && 'needs /proc/self/fd'

/**
 * Has the descriptor by which this process holds a file open name another file, so that SQLite, which knows the
 * number alone, meets the errors of a broken or a full disk: a file that is opened for reading refuses each write, and
 * `/dev/full` has no room for one. Returns what gives it the first file again.
 */
export function exchangeDescriptor(
  path: string,
  other: { path: string; flags: string },
): () => void {
  const descriptor = descriptorOf(path)
  open(descriptor, other)
  return () => open(descriptor, { path, flags: 'r+' })
}

function descriptorOf(path: string): number {
  const found = readdirSync(DESCRIPTORS).filter((name) => fileOf(name) === path)
  assert.equal(found.length, 1, `${path} is open ${found.length} times`)
  return Number(found[0])
}

/** Returns the path of an open file; undefined for the descriptor that has just listed the others. */
function fileOf(name: string): string | undefined {
  try {
    return readlinkSync(join(DESCRIPTORS, name))
  } catch {
    return undefined
  }
}

/** Opens a file under a number, which is the lowest free one when those below it are taken. */
function open(descriptor: number, { path, flags }: { path: string; flags: string }): void {
  closeSync(descriptor)
  const lower: number[] = []
  for (;;) {
    const opened = openSync(path, flags)
    if (opened === descriptor) break
    lower.push(opened)
    assert.ok(opened < descriptor, `another file has taken the descriptor ${descriptor}`)
  }
  for (const other of lower) closeSync(other)
}
