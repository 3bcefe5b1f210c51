import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { picture } from '../../support/harness.ts'
import { without } from '../../support/media/media.ts'
import { spawnServer } from '../../support/spawn.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { runTour } from '../../support/tour.ts'

describe('the documentation', { skip: without('curl', '--version') }, () => {
  let server: Awaited<ReturnType<typeof spawnServer>>
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tagstead-tour-'))
    server = await spawnServer()
  })

  after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const tour = (given: { PHOTO: string; PASSWORD?: string }) =>
    runTour(folder, { API: `${server.url}/api/v1`, PASSWORD: server.adminPassword, ...given })

  it('has a tour that can be pasted, and run again', async () => {
    const photo = join(folder, 'beach.jpg')
    writeFileSync(photo, await picture(1))
    for (const found of [1, 2]) {
      const { stdout } = await tour({ PHOTO: photo })
      const lines = stdout.trimEnd().split('\n')
      const link = lines.find((line) => line.startsWith('http'))
      assert.match(stdout, /\[ 'Holiday' \]/)
      assert.equal(stdout.match(/\[ 'beach\.jpg', '\d{4}-/g)?.length, found)
      assert.ok(lines.includes('byte for byte'))
      assert.deepEqual(lines.slice(-2), ['1', 'false'])
      const opened = await fetch(link!)
      assert.equal(opened.status, 200)
      assert.equal(opened.headers.get('content-type'), 'image/jpeg')
    }
  })

  it("has a tour that stops at the first failure, with the server's words", async () => {
    const failed = (given: { PHOTO?: string; PASSWORD?: string }) =>
      tour({ PHOTO: '/nowhere.jpg', ...given }).then(
        () => assert.fail('it went on'),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      )
    const refused = await failed({ PASSWORD: 'wrong' })
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /"code":"unauthorized","message":"[^"]+"/)
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'no picture')
    const other = await failed({ PHOTO: text })
    assert.equal(other.stdout, '')
    assert.match(other.stderr, /"code":"unsupported_mime"/)
  })

  it('has a filter for fail2ban that finds the address of a failed sign-in, and no other', async () => {
    const { failregex, datepattern } = Object.fromEntries(
      [
        ...readFileSync('docs/password.md', 'utf8').matchAll(/^(failregex|datepattern) = (.+)$/gm),
      ].map(([, name, value]) => [name, value]),
    ) as { failregex: string; datepattern: string }
    const host = '(?<host>[\\d.]+|[\\da-f:]+)'
    const line = new RegExp(failregex.replace('<HOST>', host))
    const fields = { Y: '\\d{4}', m: '\\d\\d', d: '\\d\\d', H: '\\d\\d', M: '\\d\\d', S: '\\d\\d' }
    const named: Record<string, string> = { ...fields, f: '\\d{1,6}', z: 'Z' }
    const date = new RegExp(datepattern.replaceAll(/%%(\w)/g, (_, field) => named[field]!))

    const before = server.output().length
    const forged = '","address":"9.9.9.9","name":"x"}\n{"level":"warn","message":"login failed'
    for (const name of ['admin', 'nobody', `${forged}","address":"9.9.9.9","name":"`]) {
      await fetch(`${server.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, password: 'wrong' }),
      })
      await fetch(`${server.url}/api/v1/${encodeURIComponent(name)}`)
    }
    // fail2ban takes the date out, and whoever keeps the log may put something before the line.
    const seen = server
      .output()
      .slice(before)
      .split('\n')
      .map((text) => {
        const time = date.exec(text)?.[1] ?? ''
        return { time, text: `house tagstead[7]: ${text.replace(time, '')}` }
      })
    const failures = seen.filter(({ text }) => line.test(text))
    assert.deepEqual(
      failures.map(({ text }) => line.exec(text)?.groups?.host),
      ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
    )
    for (const { time } of failures) assert.ok(Math.abs(Date.parse(time) - Date.now()) < 3_600_000)
  })
})
