import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as place from '../../src/base/paths.ts'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
/** How a file would find another by where it is itself. */
const OWN_PLACE =
  /import\.meta\b|\bcreateRequire\b|\b__dirname\b|\b__filename\b|node_modules|argv\[1\]/
/** These run in browsers. */
const OF_BROWSERS = /^(gallery|docs\/pages)\//

describe('the places of what the program opens and starts', () => {
  it('are known to one file', () => {
    const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    const ours = names.filter((name) => /(?<!\.d)\.[jt]s$/.test(name) && !OF_BROWSERS.test(name))
    const finders = ours.filter((name) => OWN_PLACE.test(readFileSync(join(SOURCE, name), 'utf8')))
    assert.deepEqual(
      finders.map((name) => name.replace(/\.js$/, '.ts')),
      ['base/paths.ts'],
    )
  })

  it('are there', () => {
    const paths = [
      ...Object.values(place.PROGRAMS),
      ...[place.PACKAGE_FILE, place.MIGRATIONS, place.PLACEHOLDER_PATH, place.ICONS],
      ...[place.gallerySource(), place.docsFile('docs.html'), place.libheifCode()],
      ...[place.swaggerFile('swagger-ui.css'), place.swaggerFile('swagger-ui-bundle.js')],
      ...Object.values(place.decoderPackages()),
    ]
    for (const path of paths) assert.ok(existsSync(path), path)
  })
})
