import { realpathSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

/** The page, with places for what it loads. */
export const PAGE = realpathSync(fileURLToPath(new URL('./app/page.html', import.meta.url)))
// The browser's half is where its page really is: on Node, tests run beside links to the sources.
const APP = dirname(PAGE)
/** Where the page's own script begins. */
export const MAIN = join(APP, 'main.tsx')
/** What the page loads besides while somebody works on it. */
export const DEV = join(APP, 'dev.ts')

/** One style out of all styles of the app: the tokens first, then each feature's. */
const allStyles: Plugin = {
  name: 'all-styles',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^all styles$/ }, ({ path }) => ({ path, namespace: 'styles' }))
    // What a script names is among them.
    onResolve({ filter: /\.css$/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'nothing' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: '' }))
    onLoad({ filter: /./, namespace: 'styles' }, async () => {
      const names = await readdir(APP, { recursive: true })
      const rest = names.filter((name) => name.endsWith('.css') && name !== 'theme.css').sort()
      const contents = ['theme.css', ...rest].map((name) => `@import './${name}';`).join('\n')
      return { contents, resolveDir: APP, loader: 'css', watchDirs: [APP] }
    })
  },
}

const ICON = /^export \{ (.+) \} from '.\/icons\/.+\.mjs';$/

/** Takes in the icons that the app names; to read all 1,900 takes a second. */
const usedIcons: Plugin = {
  name: 'used-icons',
  setup({ onLoad }) {
    onLoad({ filter: /\/lucide\/dist\/esm\/lucide\.mjs$/ }, async ({ path }) => {
      const used = await iconNames()
      const namesOf = (line: string) => ICON.exec(line)?.[1]?.split(', ') ?? []
      const isUsed = (line: string) =>
        namesOf(line).some((name) => used.has(name.replace('default as ', '')))
      const lines = (await readFile(path, 'utf8')).split('\n')
      return { contents: lines.filter(isUsed).join('\n'), watchDirs: [APP] }
    })
  },
}

/** Returns what files of the app import from lucide, which may be more than icons. */
async function iconNames(): Promise<Set<string>> {
  const names = (await readdir(APP, { recursive: true })).filter((name) => name.endsWith('.tsx'))
  const sources = await Promise.all(names.map((name) => readFile(join(APP, name), 'utf8')))
  const imports = sources.flatMap((source) => [
    ...source.matchAll(/import (?:type )?\{([^}]+)\} from 'lucide'/g),
  ])
  const imported = imports.flatMap(([, list]) => list!.split(','))
  return new Set(
    imported.map((name) =>
      name
        .replace(/^\s*type /, '')
        .split(' as ')[0]!
        .trim(),
    ),
  )
}

/**
 * Keeps what the first screen needs in one script. What it shared with screens that are loaded on
 * demand would be divided by who shares it, into many small ones; so each of those is said to
 * share all of it.
 */
const oneScript: Plugin = {
  name: 'one-script',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir, importer }) => {
      if (kind !== 'dynamic-import') return
      const found = await resolve(path, { kind: 'import-statement', resolveDir, importer })
      return { path: found.path, namespace: 'on-demand', errors: found.errors }
    })
    onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({
      contents: [MAIN, path].map((name) => `export * from ${JSON.stringify(name)}`).join('\n'),
      resolveDir: APP,
    }))
  },
}

/** What the bundler is to do: scripts, and one style, in memory. */
export const BUNDLE = {
  absWorkingDir: APP,
  entryPoints: { main: MAIN, style: 'all styles' },
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
  plugins: [allStyles, usedIcons, oneScript],
} satisfies BuildOptions
