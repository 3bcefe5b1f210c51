import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../src/gallery/text/', import.meta.url))

it('the German page has one name for each thing: a pool is no collection, an admin no keeper', async () => {
  const others: string[] = []
  for (const name of await readdir(FOLDER)) {
    const text = await readFile(join(FOLDER, name), 'utf8')
    for (const [word] of text.matchAll(/\w*(Sammlung|Verwalter)\w*/g))
      others.push(`${name}: ${word}`)
  }
  assert.deepEqual(others, [])
})
