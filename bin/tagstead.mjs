#!/usr/bin/env node
// Runs src/main.ts on Bun, or on Node if TAGSTEAD_RUNTIME is `node` or if Bun isn't installed.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)
const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const main = pathOf('src/main.ts')

function findBun() {
  if (process.env.TAGSTEAD_RUNTIME === 'node') return undefined
  try {
    const bun = require.resolve('bun/bin/bun.exe')
    // Where npm ran no install scripts, there is a small text in its place.
    return statSync(bun).size > 1e6 ? bun : undefined
  } catch {
    return undefined
  }
}

const bun = findBun()
if (!bun) await import('./require-node.mjs')
const [program, ...args] = bun
  ? [bun, '--no-env-file', `--config=${pathOf('src/bun.toml')}`, main]
  : [process.execPath, '--import', pathToFileURL(require.resolve('tsx')).href, main]

// The channel closes with this process, however it ends, and the server ends with the channel.
const server = spawn(program, [...args, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  // Like bunfig.toml, tsconfig.json of the folder where somebody stands can name code to run.
  env: { ...process.env, TSX_TSCONFIG_PATH: pathOf('tsconfig.json') },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
server.on('error', (error) => {
  process.stderr.write(`Tagstead can't start ${program}: ${error.message}\n`)
  process.exit(1)
})
server.on('exit', (code, signal) => {
  if (signal === null) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
