// Writes the whole project as JavaScript into build/, where the suite runs on Node. Node 20 reads
// TypeScript only through tsx, whose loader costs each process most of a second, and the suite
// starts hundreds. Everything else is there as a link, so that each path leads where it led before.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BUILD = join(ROOT, 'build')
const TOPS = ['src', 'test', 'scripts']
const isTypeScript = (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts')

rmSync(BUILD, { recursive: true, force: true })
mkdirSync(BUILD)
for (const name of readdirSync(ROOT)) {
  if (!name.startsWith('.') && ![...TOPS, 'build'].includes(name)) link(name)
}
const sources = []
for (const top of TOPS) {
  for (const entry of readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name).slice(ROOT.length)
    if (entry.isDirectory()) mkdirSync(join(BUILD, name), { recursive: true })
    else if (isTypeScript(name)) sources.push(name)
    else link(name)
  }
}

/**
 * Gives the names of other modules, in imports and in URLs, the ending that the modules now have.
 */
const renamed = {
  name: 'renamed',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.{1,2}\/.*\.tsx?$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.tsx?$/, '.js'), external: true },
    )
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /(new URL\('[^']+)(?<!\.d)\.ts(?=', import\.meta\.url\))/g,
        '$1.js',
      ),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }))
  },
}
await build({
  absWorkingDir: ROOT,
  entryPoints: sources,
  outdir: BUILD,
  outbase: ROOT,
  bundle: true,
  packages: 'external',
  external: ['bun:*'],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  sourcemap: 'linked',
  plugins: [renamed],
  logLevel: 'warning',
})

function link(name) {
  mkdirSync(join(BUILD, name, '..'), { recursive: true })
  symlinkSync(join(ROOT, name), join(BUILD, name))
}
