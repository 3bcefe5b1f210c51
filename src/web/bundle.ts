import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { gallerySource } from '../base/paths.ts'

const APP = gallerySource()
/** The page, with placeholders for what it loads. */
export const PAGE = join(APP, 'page.html')
/** The entry point of the page's script. */
export const MAIN = join(APP, 'main.tsx')
// Every page loads this once its first screen is there.
const TOOLS = join(APP, 'shell', 'tools.tsx')
/** The page of a link, for people without an account, with placeholders, and the entry points of its script and style. */
export const LINK = {
  page: join(APP, 'link', 'page.html'),
  main: join(APP, 'link', 'main.tsx'),
  style: join(APP, 'link', 'style.css'),
}
/** The page's service worker, a script of its own. */
export const WORKER = join(APP, 'worker.ts')
/** The page also loads this during development. */
export const DEV = join(APP, 'dev.ts')

// Makes one style of all styles of the app: the tokens first, then each feature's. The page of a link has its own.
const allStyles: Plugin = {
  name: 'all-styles',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^all styles$/ }, ({ path }) => ({ path, namespace: 'styles' }))
    // The styles that scripts import are part of that.
    onResolve({ filter: /\.css$/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'nothing' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: '' }))
    onLoad({ filter: /./, namespace: 'styles' }, async () => {
      const names = await readdir(APP, { recursive: true })
      const isOfLink = (name: string) => dirname(name) === 'link'
      const styles = names.filter((name) => name.endsWith('.css') && !isOfLink(name))
      const rest = styles.filter((name) => name !== 'theme.css').sort()
      const contents = ['theme.css', ...rest].map((name) => `@import './${name}';`).join('\n')
      // Whatever changes in the page of a link, both are built again.
      const watchFiles = names.filter(isOfLink).map((name) => join(APP, name))
      return { contents, resolveDir: APP, loader: 'css', watchDirs: [APP], watchFiles }
    })
  },
}

const ICON = /^export \{ (.+) \} from '.\/icons\/.+\.mjs';$/

// Includes only the icons that the app imports, because all of them take long to read. Each file has a list of its own:
// those of one list would all come with the first script.
const usedIcons: Plugin = {
  name: 'used-icons',
  setup({ onLoad, onResolve, resolve }) {
    let all: Promise<Map<string, string>> | undefined
    onResolve({ filter: /^lucide$/ }, async ({ kind, importer, resolveDir, namespace }) => {
      // Skips this plugin's own call of `resolve`.
      if (namespace === 'icons') return
      const { path } = await resolve('lucide', { kind, resolveDir, namespace: 'icons' })
      return { path: importer, namespace: 'icons', pluginData: path, sideEffects: false }
    })
    onLoad({ filter: /./, namespace: 'icons' }, async ({ path, pluginData: list }) => {
      all ??= readFile(list, 'utf8').then(linesByIcon)
      const lines = await all
      const used = namesIn(await readFile(path, 'utf8'))
      const contents = used.map((name) => lines.get(name) ?? '').join('\n')
      return { contents, resolveDir: dirname(list), watchFiles: [path] }
    })
  },
}

function linesByIcon(list: string): Map<string, string> {
  const entries = list.split('\n').flatMap((line) => {
    const names = ICON.exec(line)?.[1]?.split(', ') ?? []
    return names.map((name): [string, string] => [name.replace('default as ', ''), line])
  })
  return new Map(entries)
}

function namesIn(source: string): string[] {
  const imports = [...source.matchAll(/import (?:type )?\{([^}]+)\} from 'lucide'/g)]
  const imported = imports.flatMap(([, list]) => list!.split(','))
  return imported.map(
    (name) =>
      name
        .trim()
        .replace(/^type /, '')
        .split(' as ')[0]!,
  )
}

// Bundles what the first screen needs in one script, and what comes right after it in another. Otherwise, code shared
// with screens that are loaded on demand would be divided by the screens that share it, into many small scripts, each
// of which the others have to name; so each of those screens is declared to need all of it.
const fewScripts: Plugin = {
  name: 'few-scripts',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir, importer }) => {
      if (kind !== 'dynamic-import') return
      const found = await resolve(path, { kind: 'import-statement', resolveDir, importer })
      return { path: found.path, namespace: 'on-demand', errors: found.errors }
    })
    onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({
      contents: [
        ...[MAIN, TOOLS].map((name) => `import ${JSON.stringify(name)}`),
        `export * from ${JSON.stringify(path)}`,
      ].join('\n'),
      resolveDir: APP,
    }))
  },
}

/** The bundler's options: scripts, and one style, in memory. */
export const BUNDLE = {
  absWorkingDir: APP,
  entryPoints: { main: MAIN, style: 'all styles', worker: WORKER },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  write: false,
  metafile: true,
  outdir: APP,
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  logLevel: 'silent',
  plugins: [allStyles, usedIcons, fewScripts],
} satisfies BuildOptions

/** The options for the page of a link, which is apart: it needs one script and one style, and none of the gallery's. */
export const LINK_BUNDLE = {
  ...BUNDLE,
  entryPoints: { link: LINK.main, 'link-style': LINK.style },
  splitting: false,
  plugins: [allStyles, usedIcons],
} satisfies BuildOptions
