import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { productionClosure } from '../../../scripts/release/closure.ts'
import { gatherLicences } from '../../../scripts/release/licences.ts'
import { IN_GALLERY, KEPT, LEFT_OUT, OF_TOWNS } from '../../../scripts/release/packages.ts'

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

describe('the packages of a release', () => {
  it('are decided on, each of the lock file once', () => {
    const decided = [...Object.keys(KEPT), ...Object.values(LEFT_OUT).flat()]
    const lock = JSON.parse(readFileSync(path('package-lock.json'), 'utf8'))
    assert.deepEqual(decided.toSorted(), productionClosure(lock))
  })

  it('leave out what is for tests, other systems and other C libraries', () => {
    const lock = {
      packages: {
        '': {},
        'node_modules/b': {},
        'node_modules/a': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
        'node_modules/@x/c/node_modules/d': {},
        'node_modules/tests': { dev: true },
        folder: { dev: true },
        'node_modules/of-folder': { link: true },
        'node_modules/mac': { os: ['darwin'] },
        'node_modules/arm': { cpu: ['arm64'] },
        'node_modules/musl': { libc: ['musl'] },
      },
    }
    assert.deepEqual(productionClosure(lock), ['@x/c/node_modules/d', 'a', 'b'])
  })

  it('come with the licence of each, and of what is in the gallery', () => {
    const licences = gatherLicences(path('node_modules'))
    for (const name of ['bun', ...Object.keys(KEPT), ...IN_GALLERY, OF_TOWNS]) {
      assert.match(
        licences,
        new RegExp(`^=+\\n${name} \\d+\\.\\d+\\.\\d+\\n.+\\n(?:https?:|git)`, 'm'),
        name,
      )
    }
    for (const text of [
      'Permission is hereby granted',
      'Apache License',
      'LESSER GENERAL PUBLIC',
    ]) {
      assert.ok(licences.includes(text), text)
    }
  })
})
