import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { describe, it } from '../support/test.ts'

const SCRIPT = readFileSync(new URL('../../src/docs/pages/docs.js', import.meta.url), 'utf8')

interface Shown {
  content: string
  contentType: string
}
/** What the library is asked to draw: a component, its properties, what is in it. */
type Drawn = [component: string, properties: unknown, ...children: unknown[]]
interface Options {
  plugins: {
    wrapComponents?: { responseBody?(body: string, system: object): (props: Shown) => Drawn }
  }[]
}

/** Returns what the page draws for the body of an answer, in a browser with its `JSON`. */
function draw(shown: Shown, json: object = JSON): Drawn {
  let options: Options | undefined
  const dark = { matches: false, addEventListener: () => {} }
  runInContext(
    SCRIPT,
    createContext({
      JSON: json,
      URL,
      matchMedia: () => dark,
      document: { documentElement: { classList: { toggle: () => {} } } },
      SwaggerUIBundle: (given: Options) => {
        options = given
      },
    }),
  )
  const system = {
    React: { createElement: (...drawn: Drawn) => drawn },
    getComponent: (name: string) => name,
  }
  const wraps = options!.plugins.map((plugin) => plugin.wrapComponents?.responseBody)
  return wraps.find((wrap) => wrap)!('the own one', system)(shown)
}

/** The text of what is drawn instead of the library's own. */
function textOf(drawn: Drawn): unknown {
  const [, , , code] = drawn as [string, null, Drawn, Drawn]
  assert.deepEqual([drawn[0], code[0]], ['div', 'HighlightCode'])
  return code[2]
}

describe('an answer on the page of the documentation', () => {
  const hash = '{"phash":-9223372036854775807,"n":[1.50]}'

  it('shows integers as they came', { skip: !('rawJSON' in JSON) && 'needs JSON.rawJSON' }, () => {
    const drawn = draw({ content: hash, contentType: 'application/json' })
    assert.equal(textOf(drawn), '{\n  "phash": -9223372036854775807,\n  "n": [\n    1.50\n  ]\n}')
  })

  it('shows a stream line by line', () => {
    const content = '{"type":"start","total":0}\n{"type":"done"}\n'
    assert.equal(textOf(draw({ content, contentType: 'application/x-ndjson' })), content)
  })

  it('is left to the library where that is as good', () => {
    const { parse, stringify } = JSON
    const old = { parse, stringify }
    for (const [shown, json] of [
      [{ content: '', contentType: 'application/json' }, JSON],
      [{ content: 'text', contentType: 'text/plain' }, JSON],
      // A browser that can't tell more than a double.
      [{ content: hash, contentType: 'application/json' }, old],
    ] as const) {
      assert.deepEqual(draw(shown, json), ['the own one', shown])
    }
  })
})
