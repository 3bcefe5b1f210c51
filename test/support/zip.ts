import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file of an archive, as Python reads it. */
export interface Unzipped {
  name: string
  /** Bytes. */
  size: number
  sha256: string
  /** The clock of its time, such as `2018-07-03 10:00:00`. */
  time: string
  /** 0 for what is stored as it is. */
  method: number
}

const READ = `
import hashlib, json, sys, zipfile
def digest(archive, info):
  sha = hashlib.sha256()
  with archive.open(info) as content:
    for chunk in iter(lambda: content.read(1 << 20), b''): sha.update(chunk)
  return sha.hexdigest()
with zipfile.ZipFile(sys.argv[1]) as archive:
  print(json.dumps([{
    'name': info.filename, 'size': info.file_size, 'sha256': digest(archive, info),
    'time': '%04d-%02d-%02d %02d:%02d:%02d' % info.date_time, 'method': info.compress_type,
  } for info in archive.infolist()]))
`

const isThere = (program: string, args: string[]) => spawnSync(program, args).status === 0
const hasPython = isThere('python3', ['--version'])
const hasUnzip = isThere('unzip', ['-v'])

/** Why archives can't be read here; false when they can. */
export const withoutUnzip = !(hasPython && hasUnzip) && 'needs python3 and unzip'

/** Has `unzip` test an archive, and returns what Python finds in it, checksums compared. */
export function unzipped(path: string): Unzipped[] {
  const tested = spawnSync('unzip', ['-tq', path], { encoding: 'utf8' })
  assert.equal(tested.status, 0, tested.stdout + tested.stderr)
  assert.match(tested.stdout, /^No errors detected in compressed data of \S+\n$/)
  const found = execFileSync('python3', ['-c', READ, path], { maxBuffer: 2 ** 28 })
  return JSON.parse(found.toString())
}

/** Returns what is in the bytes of an archive, as `unzipped`. */
export function unzippedBytes(bytes: Uint8Array): Unzipped[] {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-zip-'))
  try {
    const path = join(folder, 'a.zip')
    writeFileSync(path, bytes)
    return unzipped(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the text of a file in the bytes of an archive. */
export function textIn(bytes: Uint8Array, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-zip-'))
  try {
    const path = join(folder, 'a.zip')
    writeFileSync(path, bytes)
    return execFileSync('unzip', ['-p', path, name]).toString()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
