import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { commandLine } from '../../support/spawn.ts'

const FILE = fileURLToPath(new URL('../../support/without-descriptors.ts', import.meta.url))

describe('a process that has no file descriptor left while the type of a file is looked at', () => {
  it('takes it for no other type: the upload is 500, the import keeps its source, and both go later', async () => {
    // As it starts, Node has some hundreds of them.
    const line = ['-c', 'ulimit -n 1000 && exec "$@"', 'sh', ...commandLine(undefined, FILE)]
    const { stdout } = await promisify(execFile)('/bin/sh', line)
    assert.deepEqual(JSON.parse(stdout), {
      upload: { status: 500, code: 'internal_error' },
      import: { status: 'error', reason: 'failed with EMFILE', isSourceThere: true },
      left: { files: 0, temporary: [] },
      again: [{ status: 201 }, { status: 'imported', isSourceThere: false }],
    })
  })
})
