import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { VERSION } from '../../src/base/version.ts'
import { ROOT } from './lay.ts'

// `npm run release:container [FOLDER]`: makes the folder that a container is built of, from the archive in FOLDER.
// It takes mmdebstrap, and root.

const DEBIAN = 'bookworm'
/** What the archive needs and every Debian has, what it makes use of, and the first process. */
const PACKAGES = ['libstdc++6', 'ffmpeg', 'bubblewrap', 'tini']
const NO_TEXTS = ['doc', 'man', 'locale'].map(
  (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
)
/** What images without a distribution call nonroot. */
const USER = 65_532
const HOOKS = [
  `echo 'tagstead:x:${USER}:${USER}::/data:/usr/sbin/nologin' >>"$1/etc/passwd"`,
  `echo 'tagstead:x:${USER}:' >>"$1/etc/group"`,
  `install -d -m 700 -o ${USER} -g ${USER} "$1/data"`,
]

const target = resolve(process.argv[2] ?? 'release')
const name = `tagstead-${VERSION}-linux-x64`
const archive = join(target, `${name}.tar.xz`)
if (!existsSync(archive)) throw new Error(`${archive} is made by npm run release`)
const work = mkdtempSync(join(target, 'making-'))
try {
  const context = join(work, 'container')
  const root = join(context, 'root.tar')
  mkdirSync(join(work, 'dev'), { recursive: true })
  mkdirSync(context)
  const what = ['--variant=essential', `--include=${PACKAGES.join()}`, ...NO_TEXTS]
  const hooks = HOOKS.map((hook) => `--customize-hook=${hook}`)
  // Whoever builds without being root can't make devices; the container gets its own, in an empty folder.
  const made = ['--skip=output/dev', '--format=tar', DEBIAN, root]
  execFileSync('mmdebstrap', [...what, ...hooks, ...made], { stdio: 'inherit' })
  const empty = ['--owner=0', '--group=0', '--mode=755', '-C', work, './dev']
  execFileSync('tar', ['-rf', root, ...empty])
  execFileSync('tar', ['-xf', archive, '-C', work])
  renameSync(join(work, name), join(context, 'tagstead'))
  cpSync(join(ROOT, 'scripts/release/Containerfile'), join(context, 'Containerfile'))
  const laid = join(target, 'container')
  rmSync(laid, { recursive: true, force: true })
  renameSync(context, laid)
  process.stdout.write(`${laid} is there: podman build --format docker -t tagstead ${laid}\n`)
} finally {
  rmSync(work, { recursive: true })
}
