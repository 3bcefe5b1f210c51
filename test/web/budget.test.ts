import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type BuildResult, build } from 'esbuild'
import { BUNDLE, LINK_BUNDLE } from '../../src/web/bundle.ts'

/**
 * What may come over the wire, gzipped, in bytes: before the first picture, what stands around the
 * grid and comes after it, each other screen besides, all together without the coasts of the map.
 */
const BUDGET = { grid: 45_000, tools: 37_000, screen: 20_000, all: 264_000, style: 14_000 }
/** The map's coasts and borders: those of the world, and the finer ones. */
const ATLAS = [40_000, 245_000]

/** What the page of a link may have, likewise: its script and its style. */
const LINK_BUDGET = { script: 21_000, style: 4500 }

let bundle: BuildResult<typeof BUNDLE>
let sizes: Map<string, number>

before(async () => {
  bundle = await build(BUNDLE)
  sizes = new Map(
    bundle.outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents).length]),
  )
})

const outputs = () => Object.entries(bundle.metafile.outputs)

/** The names of all scripts that have to be there before a script runs, and its own. */
function needed(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const { kind, path } of bundle.metafile.outputs[name]!.imports) {
    if (kind === 'import-statement') needed(path, found)
  }
  return found
}

const sum = (names: Iterable<string>) => [...names].reduce((all, name) => all + sizes.get(name)!, 0)
const without = (names: Set<string>, others: Set<string>) =>
  [...names].filter((name) => !others.has(name))

/** The scripts of what is loaded on demand, by what it is. */
function onDemand(): Map<string, Set<string>> {
  const entries = outputs().filter(([, { entryPoint }]) => entryPoint?.startsWith('on-demand:'))
  return new Map(
    entries.map(([name, { entryPoint }]) => [entryPoint!.split('/gallery/')[1]!, needed(name)]),
  )
}

/** The scripts with the coasts of the map, the smaller one first. */
function atlas(): string[] {
  const own = outputs().filter(([, { entryPoint }]) => entryPoint?.includes('/world-atlas/'))
  return own.map(([name]) => name).sort((a, b) => sizes.get(a)! - sizes.get(b)!)
}

function first(): Set<string> {
  return needed(outputs().find(([, { inputs }]) => 'main.tsx' in inputs)![0])
}

describe('the gallery, gzipped', () => {
  it('shows the grid with one script of at most 45 kB', () => {
    assert.equal(first().size, 1)
    assert.ok(sum(first()) <= BUDGET.grid, `${sum(first())} bytes`)
  })

  it('has no icons in that script but those that it shows', () => {
    const { inputs } = bundle.metafile
    const paths = Object.keys(bundle.metafile.outputs[[...first()][0]!]!.inputs)
    const shown = paths
      .flatMap((path) => inputs[path]!.imports)
      .filter(({ path }) => path.startsWith('icons:'))
      .flatMap(({ path }) => inputs[path]!.imports.map((icon) => icon.path))
    const icons = paths.filter((path) => path.includes('/lucide/dist/esm/icons/'))
    assert.ok(icons.length > 0)
    assert.deepEqual(
      icons.filter((path) => !shown.includes(path)),
      [],
    )
  })

  it('loads at most 37 kB for what stands around the grid, once that is there', () => {
    const bytes = sum(without(onDemand().get('shell/tools.tsx')!, first()))
    assert.ok(bytes <= BUDGET.tools, `${bytes} bytes`)
  })

  it('loads at most 20 kB more for each other screen, and 264 kB for all', () => {
    const tools = onDemand().get('shell/tools.tsx')!
    for (const [what, names] of onDemand()) {
      const bytes = sum(without(names, tools))
      assert.ok(bytes <= BUDGET.screen, `${what}: ${bytes} bytes`)
    }
    const all = sum(
      [...sizes.keys()].filter((name) => name.endsWith('.js') && !atlas().includes(name)),
    )
    assert.ok(all <= BUDGET.all, `${all} bytes`)
  })

  it('loads the coasts of the map apart from its screen', () => {
    assert.deepEqual(
      atlas().map((name, n) => sizes.get(name)! <= ATLAS[n]!),
      [true, true],
    )
  })

  it('has at most 14 kB of style, in one file without fonts or pictures', () => {
    const [style, ...others] = bundle.outputFiles.filter(({ path }) => path.endsWith('.css'))
    assert.deepEqual(others, [])
    const bytes = sizes.get(basename(style!.path))!
    assert.ok(bytes <= BUDGET.style, `${bytes} bytes`)
    assert.doesNotMatch(style!.text, /@font-face|@import|url\((?!["']?data:)/)
  })
})

describe('the page of a link, gzipped', () => {
  it('has one script of at most 21 kB and one style of at most 4.5 kB, and nothing else', async () => {
    const { outputFiles } = await build(LINK_BUNDLE)
    const bytes = new Map(
      outputFiles.map(({ path, contents }) => [path.split('.').at(-1), gzipSync(contents).length]),
    )
    assert.deepEqual([outputFiles.length, [...bytes.keys()].sort()], [2, ['css', 'js']])
    assert.ok(bytes.get('js')! <= LINK_BUDGET.script, `${bytes.get('js')} bytes of script`)
    assert.ok(bytes.get('css')! <= LINK_BUDGET.style, `${bytes.get('css')} bytes of style`)
  })
})
