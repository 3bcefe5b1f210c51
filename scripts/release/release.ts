import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { VERSION } from '../../src/base/version.ts'
import { layRelease, ROOT, TEXTS } from './lay.ts'

// `npm run release [FOLDER]`: makes the archive that is unpacked and serves, the same bytes whenever it is made
// of one commit.

const MB = 1_000_000
const MOST = 50 * MB

// What comes into the archive besides, or makes it, and is kept in git.
const SOURCES = ['src', 'drizzle', 'scripts', 'package.json', 'package-lock.json']

const changed = git('status', '--porcelain', '--', ...SOURCES, ...TEXTS)
if (changed) throw new Error(`A release is made of one commit, and these are changed:\n${changed}`)

const name = `tagstead-${VERSION}-linux-x64`
const target = resolve(process.argv[2] ?? 'release')
mkdirSync(target, { recursive: true })
const work = mkdtempSync(join(target, 'making-'))
try {
  await layRelease(join(work, name))
  const made = join(work, 'made')
  const time = git('log', '-1', '--format=%ct')
  const sameForAll = [
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
  ]
  const compressed = ['--use-compress-program', 'xz -9 -T1']
  execFileSync('tar', [...sameForAll, '--format=gnu', ...compressed, '-cf', made, '-C', work, name])
  const { size } = statSync(made)
  if (size > MOST) throw new Error(`The archive has ${size} bytes, more than ${MOST}`)
  const archive = join(target, `${name}.tar.xz`)
  renameSync(made, archive)
  process.stdout.write(`${archive}: ${(size / MB).toFixed(1)} MB\n`)
} finally {
  rmSync(work, { recursive: true })
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trimEnd()
}
