import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { SETTINGS } from '../src/base/config.ts'
import { VERSION } from '../src/base/version.ts'

describe('the documentation', () => {
  it('names no version but its own, and the next one in what tells how to upgrade', () => {
    for (const name of ['README.md', ...readdirSync('docs').map((page) => `docs/${page}`)]) {
      if (!name.endsWith('.md')) continue
      const [text] = readFileSync(name, 'utf8').split('\n## Upgrade\n')
      for (const [, version] of text!.matchAll(/tagstead[-:](\d+\.\d+\.\d+)/g)) {
        assert.equal(version, VERSION, name)
      }
    }
  })

  it('says of a setting what the example of a .env file says', () => {
    const plain = (text: string) =>
      text.replaceAll(/[`*]|\[(.*?)\]\(.*?\)/g, (_, link) => link ?? '').toLowerCase()
    const rows = readFileSync('docs/settings.md', 'utf8').matchAll(
      /^\| (`[A-Z].*?) \|.*\| (.*) \|$/gm,
    )
    const said = new Map(
      [...rows].flatMap(([, names, text]) =>
        [...names!.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => [name, plain(text!)] as const),
      ),
    )
    const example = readFileSync('.env.example', 'utf8')
    const blocks = [...example.matchAll(/((?:^# .*\n)+)#([A-Z0-9_]+)=/gm)]
    assert.equal(blocks.length, SETTINGS.length)
    for (const [, comment, name] of blocks) {
      const told = comment!
        .trim()
        .split('\n')
        .map((line) => line.slice(2))
        .join(' ')
      // A row of the page may be of two settings.
      if (name !== 'ADMIN_PASSWORD') assert.ok(told.toLowerCase().startsWith(said.get(name)!), name)
    }
  })

  it('names every setting, in their order', () => {
    const rows = readFileSync('docs/settings.md', 'utf8').match(/^\| `[A-Z].*?\|/gm)!
    assert.deepEqual(
      rows.flatMap((row) => [...row.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name)),
      SETTINGS,
    )
  })
})
