import { readdirSync, type Stats, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BEFORE, dataFolder } from '../../media/data-folder.ts'
import { type Found, unchecked } from './finding.ts'

// Any permission at all for another account of the machine.
const [OTHERS, GROUP_OR_OTHERS] = [0o007, 0o077]

/**
 * Returns which files other accounts of the machine can open. Contents may be readable by the decoder's group, in a
 * folder that only that group may enter.
 */
export function openToOthers(dataDir: string): Found[] {
  const { secretKey, database, contents, cachedContents, uploads, lostAndFound, derivatives } =
    dataFolder(dataDir)
  const own = [secretKey, database, `${database}-wal`, `${database}-shm`]
  const folders = [contents, cachedContents, uploads, lostAndFound, ...Object.values(derivatives)]
  return [
    ...own.flatMap((path) => judge(dataDir, basename(path), GROUP_OR_OTHERS)),
    ...copiesOpenToOthers(dataDir),
    ...folders.flatMap((path) => judge(dataDir, basename(path), OTHERS)),
  ]
}

// The copies of the database from before a migration contain the same password hashes.
function copiesOpenToOthers(dataDir: string): Found[] {
  try {
    const names = readdirSync(dataDir).filter((name) => name.startsWith(BEFORE))
    return names.sort().flatMap((name) => judge(dataDir, name, GROUP_OR_OTHERS))
  } catch (error) {
    return [unchecked(`${BEFORE}*`, 'Copies of the database', error)]
  }
}

function judge(dataDir: string, name: string, refused: number): Found[] {
  let status: Stats | undefined
  try {
    status = statSync(join(dataDir, name), { throwIfNoEntry: false })
  } catch (error) {
    return [unchecked(name, `"${name}"`, error)]
  }
  if (!status || (status.mode & refused) === 0) return []
  const mode = (status.mode & 0o777).toString(8)
  const sentence = `Other accounts of the machine can open "${name}": its mode is ${mode}`
  return [{ kind: 'file_mode', subject: name, sentence }]
}
