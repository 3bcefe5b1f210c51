import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'
import { picture } from '../../support/harness.ts'
import { temporaryFolder, without } from '../../support/media/media.ts'
import { withoutWalls } from '../../support/media/walls.ts'
import { commandLine, spawnServer, THIS_RUNTIME } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { runTour } from '../../support/tour.ts'

const skip =
  (THIS_RUNTIME === 'node' && 'needs Bun, which runs the service') ||
  without('strace', '-c', 'true') ||
  without('curl', '--version') ||
  without('systemd-analyze', '--version')

/** Returns the system calls that a filter of systemd lets through, by what it lists of its sets. */
function allowedBy(filter: string[]): Set<string> {
  const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', '--no-pager'], {
    encoding: 'utf8',
  })
  const sets = new Map<string, string[]>()
  let members: string[] = []
  for (const line of stdout.split('\n')) {
    if (line.startsWith('@')) {
      members = []
      sets.set(line.trim(), members)
    } else if (/^ +[@\w]/.test(line)) members.push(line.trim())
  }
  const allOf = (name: string): string[] => sets.get(name)?.flatMap(allOf) ?? [name]
  return new Set(filter.flatMap(allOf))
}

describe('the system calls of a server', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  for (const walls of ['namespaces', 'landlock'] as const) {
    it(`are within what the unit lets through, also those of its decoder behind ${walls}`, {
      skip: skip || withoutWalls(walls),
      timeout: 120_000,
    }, async () => {
      const unit = readFileSync('scripts/release/tagstead.service', 'utf8')
      const allowed = allowedBy(/^SystemCallFilter=(.+)$/m.exec(unit)![1]!.split(' '))
      assert.ok(allowed.has('openat'))
      const counted = join(folder.path, walls)
      // The server is the child, and the tracer its grandchild: signals are for the server.
      const command = ['strace', '-D', '-f', '-c', '-o', counted, ...commandLine()] as const
      const server = await spawnServer({
        command: [...command],
        env: { DECODER_WALLS: walls },
      })
      const photo = join(folder.path, 'beach.jpg')
      writeFileSync(photo, await picture(1))
      const tour = { API: `${server.url}/api/v1`, PASSWORD: server.adminPassword, PHOTO: photo }
      await runTour(folder.path, tour)
      assert.match(server.output(), new RegExp(`"walls":"${walls}"`))
      assert.equal(await server.stop(), 0)
      await eventually(
        () => statSync(counted).size > 0 && readFileSync(counted, 'utf8').endsWith('total\n'),
      )
      const lines = readFileSync(counted, 'utf8').split('\n').slice(2)
      const calls = lines.flatMap((line) => /^ *[\d.]+ .* (\w+)$/.exec(line)?.[1] ?? [])
      assert.ok(calls.includes('openat') && calls.includes('execve'), calls.join(' '))
      assert.deepEqual(
        calls.filter((call) => call !== 'total' && !allowed.has(call)),
        [],
      )
    })
  }
})
