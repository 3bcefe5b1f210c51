import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { refused } from '../../support/refused.ts'
import { THIS_RUNTIME } from '../../support/spawn.ts'

/** Two cores may have a lot to do, and Bun's own limit is five seconds. */
const LONG = { timeout: 180_000 }
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tagstead-bin-'))
})
after(() => rm(folder, { recursive: true }))

describe('bin/tagstead.mjs', () => {
  const bin = fileURLToPath(new URL('../../../bin/tagstead.mjs', import.meta.url))
  const run = (args: string[] = []) =>
    spawn('node', [bin, ...args], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        ADMIN_PASSWORD: 'x',
        DATA_DIR: join(folder, 'bin'),
        TAGSTEAD_RUNTIME: THIS_RUNTIME,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const address = async (child: ReturnType<typeof run>) => {
    let output = ''
    for await (const chunk of child.stdout) {
      output += chunk
      const found = / is at (\S+)\n/.exec(output)?.[1]
      if (found) return found
    }
    throw new Error(`no address in ${output}`)
  }

  it('passes arguments, output, exit codes and signals through', LONG, async () => {
    const failed = run(['fly'])
    let complaint = ''
    failed.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    assert.deepEqual(await once(failed, 'close'), [2, null])
    assert.match(complaint, /^Unknown: fly\n\nUsage: tagstead/)
    const child = run()
    const exit = once(child, 'exit')
    await address(child)
    child.kill('SIGTERM')
    assert.deepEqual(await exit, [0, null])
  })

  it('leaves no server behind when it is killed', LONG, async () => {
    const child = run()
    const { port } = new URL(await address(child))
    child.kill('SIGKILL')
    await refused(Number(port))
  })

  /** Returns a copy whose `node_modules` has what npm leaves in Bun's place when it runs no scripts. */
  async function withoutBun(): Promise<string> {
    const copy = join(folder, 'without-bun')
    await mkdir(join(copy, 'node_modules/bun/bin'), { recursive: true })
    for (const name of await readdir('node_modules')) {
      if (name !== 'bun' && !name.startsWith('.'))
        await symlink(resolve('node_modules', name), join(copy, 'node_modules', name))
    }
    const stub = `echo "Error: Bun's postinstall script was not run." >&2\nexit 1\n`
    await writeFile(join(copy, 'node_modules/bun/bin/bun.exe'), stub, { mode: 0o755 })
    await writeFile(join(copy, 'node_modules/bun/package.json'), '{"name":"bun"}')
    await cp('bin', join(copy, 'bin'), { recursive: true })
    for (const name of ['package.json', 'tsconfig.json']) await cp(name, join(copy, name))
    await symlink(resolve('src'), join(copy, 'src'))
    return join(copy, 'bin/tagstead.mjs')
  }

  it('goes on with Node where npm left no Bun, and says when Node is too old', LONG, async () => {
    const copy = await withoutBun()
    const ended = async (env: NodeJS.ProcessEnv) => {
      const child = spawn('node', [copy, '--version'], { env: { PATH: process.env.PATH, ...env } })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
        })
      const [code] = await once(child, 'close')
      return { code, output }
    }
    assert.deepEqual(await ended({}), { code: 0, output: '3.0.0\n' })
    const older = join(folder, 'older.cjs')
    await writeFile(
      older,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`,
    )
    assert.deepEqual(await ended({ NODE_OPTIONS: `--require=${older}` }), {
      code: 1,
      output: 'Tagstead needs Node 20.20.0 or later, and this is 18.20.8\n',
    })
    const scripts = JSON.parse(await readFile('package.json', 'utf8')).scripts
    assert.match(scripts['start:node'], /^node bin\/require-node\.mjs && /)
  })
})
