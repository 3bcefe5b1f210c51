import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from '../../support/test.ts'

const UNIT = fileURLToPath(new URL('../../../scripts/release/tagstead.service', import.meta.url))
const isThere = spawnSync('systemd-analyze', ['--version']).status === 0

describe('the unit of a release', () => {
  const unit = readFileSync(UNIT, 'utf8')
  let folder: string
  let path: string

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-unit-'))
    path = join(folder, 'tagstead.service')
    // The program isn't installed here.
    writeFileSync(path, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/sh'))
  })

  after(() => rmSync(folder, { recursive: true }))

  const skip = !isThere && 'needs systemd-analyze'

  it('is understood by systemd', { skip }, () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path])
    assert.deepEqual([status, stderr.toString()], [0, ''])
  })

  it('exposes at most 3.0 by what systemd counts', { skip }, () => {
    const asked = ['security', '--offline=yes', '--threshold=30', '--no-pager', path]
    const { status, stdout } = spawnSync('systemd-analyze', asked)
    assert.equal(status, 0, stdout.toString().split('\n').at(-2))
  })

  it('lets runtimes compile, and the decoder be killed alone', () => {
    assert.doesNotMatch(unit, /^MemoryDenyWriteExecute/m)
    assert.match(unit, /^OOMPolicy=continue$/m)
  })

  it('waits for the disk that the contents may be on', () => {
    assert.match(unit, /^RequiresMountsFor=\/var\/lib\/tagstead\/files$/m)
  })

  it('covers nothing of /proc, or no namespace could have its own', () => {
    assert.doesNotMatch(unit, /^(ProtectKernelTunables|ProtectKernelLogs|ProtectProc|ProcSubset)=/m)
  })
})
