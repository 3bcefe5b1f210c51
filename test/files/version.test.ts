import { equal, match, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { fileVersion } from '../../src/files/version.ts'

const FILE = {
  blob: 'ab'.repeat(16),
  derivative_state: 'made',
  decoder_version: '3',
  rotation: 0,
} as const

test('a version is eight characters that are the same for the same pictures', () => {
  match(fileVersion(FILE), /^[\w-]{8}$/)
  equal(fileVersion({ ...FILE }), fileVersion(FILE))
})

test('a version changes with the content, its rotation, the state of its derivatives and the decoder', () => {
  const others = [
    { ...FILE, blob: 'cd'.repeat(16) },
    { ...FILE, derivative_state: 'failed' as const },
    { ...FILE, derivative_state: 'pending' as const },
    { ...FILE, decoder_version: '4' },
    { ...FILE, decoder_version: null },
    { ...FILE, rotation: 90 as const },
    { ...FILE, rotation: 270 as const },
  ].map(fileVersion)
  for (const other of others) notEqual(other, fileVersion(FILE))
  equal(new Set(others).size, others.length)
})
