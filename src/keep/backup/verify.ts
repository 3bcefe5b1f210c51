import { lstat } from 'node:fs/promises'
import pLimit from 'p-limit'
import { backupFolder } from '../../media/backup-folder.ts'
import { type Digest, readDigest } from '../../media/digest.ts'
import { unlessAbsent } from '../../media/unless-absent.ts'
import { chooseGeneration, inShelves, listGenerations, whyBroken } from './generations.ts'
import {
  isDatabaseOnly,
  ManifestError,
  type ManifestHead,
  type ManifestLine,
  readHead,
  readManifest,
} from './manifest.ts'
import { faultsOfCopy, readCopy } from './prove-database.ts'
import { contentsOf } from './queries.ts'

export interface BackupFinding {
  /** Its path in the folder of backups. */
  subject: string
  fault: string
}

export interface Verified {
  /** The verified generations, the oldest first. */
  generations: string[]
  contents: number
  bytes: number
  findings: BackupFinding[]
}

interface VerifyRequest {
  dir: string
  at?: string | undefined
  signal: AbortSignal
}

const AT_ONCE = 2
const SHELVES = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'))

/**
 * Reads generations from end to end, each content once, and returns whatever isn't as it was written. Ignores
 * generations that a backup removes meanwhile. Throws a readable error when there is no such generation.
 */
export async function verifyBackup(
  { dir, at, signal }: VerifyRequest,
  onProgress: (stage: 'databases' | 'contents', done: number, total: number) => void,
): Promise<Verified> {
  const newest = await chooseGeneration(dir, at)
  const generations = at === undefined ? await listGenerations(dir) : [newest]
  const result: Verified = { generations, contents: 0, bytes: 0, findings: [] }
  const whole: string[] = []
  for (const [done, name] of generations.entries()) {
    onProgress('databases', done, generations.length)
    signal.throwIfAborted()
    const findings = await lookAtGeneration(dir, name, signal)
    if (findings.length > 0 && !(await isThere(dir, name))) continue
    if (!findings.some(({ subject }) => subject.endsWith('manifest'))) whole.push(name)
    result.findings.push(...findings)
  }
  onProgress('databases', generations.length, generations.length)
  const takes = whole.map((name) => ({ name, take: takeFrom(dir, name) }))
  for (const [done, shelf] of SHELVES.entries()) {
    onProgress('contents', done, SHELVES.length)
    const needed = new Map<string, Needed>()
    for (const { name, take } of takes) {
      for (const line of await take(shelf)) addLine(needed, line, name)
    }
    await pLimit(AT_ONCE).map(needed.values(), async ({ line, by }) => {
      signal.throwIfAborted()
      result.contents++
      result.bytes += line.size
      const fault = await faultOf(backupFolder(dir).content(line.blob), line, signal)
      if (fault === null || !(await isAnyThere(dir, by))) return
      result.findings.push({ subject: `contents/${shelf}/${line.blob}`, fault })
    })
  }
  onProgress('contents', SHELVES.length, SHELVES.length)
  return result
}

interface Needed {
  line: ManifestLine
  by: string[]
}

// A content that one generation lacks may have been there for another.
function addLine(needed: Map<string, Needed>, line: ManifestLine, by: string): void {
  const known = needed.get(line.blob)
  if (!known) needed.set(line.blob, { line, by: [by] })
  else {
    known.by.push(by)
    if (!line.missing) known.line = line
  }
}

// A backup may remove a generation meanwhile, starting with its manifest.
async function isThere(dir: string, name: string): Promise<boolean> {
  return (await unlessAbsent(lstat(backupFolder(dir).generation(name).manifest))) !== null
}

async function isAnyThere(dir: string, names: string[]): Promise<boolean> {
  for (const name of names) if (await isThere(dir, name)) return true
  return false
}

// Shelves must be requested in order; a generation that has been removed has no contents.
function takeFrom(dir: string, name: string): (shelf: string) => Promise<ManifestLine[]> {
  const take = inShelves(readManifest(backupFolder(dir).generation(name).manifest))
  return async (shelf) => {
    try {
      return await take(shelf)
    } catch (error) {
      if (await isThere(dir, name)) throw error
      return []
    }
  }
}

async function faultOf(
  path: string,
  line: ManifestLine,
  signal: AbortSignal,
): Promise<string | null> {
  const fault = await whyDifferent(path, line, signal)
  if (fault === null || !line.missing) return fault
  return 'the library did not have it as it should be when it was backed up'
}

// Returns null when the file has that digest.
async function whyDifferent(
  path: string,
  { size, sha256 }: Digest,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const read = await readDigest(path, { signal })
    if (read.size !== size) return `it has ${read.size} bytes and should have ${size}`
    return read.sha256 === sha256 ? null : 'its bytes are not those that were written'
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'it is not there' : `it can not be read: ${code ?? message}`
  }
}

async function lookAtGeneration(
  dir: string,
  name: string,
  signal: AbortSignal,
): Promise<BackupFinding[]> {
  const paths = backupFolder(dir).generation(name)
  const finding = (file: string, fault: string) => ({
    subject: `generations/${name}/${file}`,
    fault,
  })
  const head = await headOrFault(paths.manifest)
  if (typeof head === 'string') return [finding('manifest', head)]
  const broken = await whyBroken(paths.manifest)
  if (broken !== null) return [finding('manifest', broken)]
  const findings: BackupFinding[] = []
  if (head.secret !== undefined) {
    const { sha256 } = await readDigest(paths.secretKey).catch(() => ({ sha256: '' }))
    if (sha256 !== head.secret) findings.push(finding('secret.key', 'it is not what was written'))
  }
  const different = await whyDifferent(paths.database, head.database, signal)
  if (different !== null) return [...findings, finding('database', different)]
  const faults = await faultsOfCopy(paths.database)
  if (faults.length === 0 && !isDatabaseOnly(head) && !(await hasSameContents(paths))) {
    faults.push('its contents are not those of the manifest')
  }
  return [...findings, ...faults.map((fault) => finding('database', fault))]
}

async function headOrFault(path: string): Promise<ManifestHead | string> {
  try {
    return await readHead(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return error instanceof ManifestError ? message : `it can not be read: ${code ?? message}`
  }
}

async function hasSameContents(paths: { database: string; manifest: string }): Promise<boolean> {
  return await readCopy(paths.database, async (db) => {
    const rows = contentsOf(db)
    for await (const line of readManifest(paths.manifest)) {
      const { value: row } = rows.next()
      if (row?.blob !== line.blob || row.size !== line.size || row.sha256 !== line.sha256)
        return false
    }
    return rows.next().done === true
  })
}
