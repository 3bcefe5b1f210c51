import { countBits } from '../bits.ts'

/**
 * A set of files, each as bit `rid & 31` of word `rid >>> 5`; a file beyond its end isn't in it.
 */
export type FileSet = Uint32Array

/** Returns the union or intersection of sets as a new set of `words` words. */
export function combine(kind: 'and' | 'or', operands: Iterable<FileSet>, words: number): FileSet {
  const result = new Uint32Array(words)
  let first = true
  for (const operand of operands) {
    const shared = Math.min(operand.length, words)
    if (kind === 'or' || first) for (let i = 0; i < shared; i++) result[i]! |= operand[i]!
    else {
      for (let i = 0; i < shared; i++) result[i]! &= operand[i]!
      result.fill(0, shared)
    }
    first = false
  }
  return result
}

/** Turns a set into that of all other files, and of numbers that no file has, and returns it. */
export function invert(files: FileSet): FileSet {
  for (let i = 0; i < files.length; i++) files[i] = ~files[i]!
  return files
}

/** Returns the set of the files with these row numbers. */
export function setOf(rids: ArrayLike<number> & Iterable<number>): FileSet {
  let highest = 0
  for (const rid of rids) if (rid > highest) highest = rid
  const files = new Uint32Array((highest >>> 5) + 1)
  for (const rid of rids) files[rid >>> 5]! |= 1 << (rid & 31)
  return files
}

/** Returns whether a file is in a set. */
export function hasFile(files: FileSet, rid: number): boolean {
  return (((files[rid >>> 5] ?? 0) >>> (rid & 31)) & 1) === 1
}

/** Adds a file to a set and returns the set, which is another one where it had to grow. */
export function addFile(files: FileSet, rid: number): FileSet {
  const word = rid >>> 5
  let grown = files
  if (word >= files.length) {
    grown = new Uint32Array(Math.max(word + 1, Math.ceil(files.length * 1.25)))
    grown.set(files)
  }
  grown[word]! |= 1 << (rid & 31)
  return grown
}

/** Takes a file out of a set. */
export function removeFile(files: FileSet, rid: number): void {
  const word = rid >>> 5
  if (word < files.length) files[word]! &= ~(1 << (rid & 31))
}

/** Returns how many files a set holds. */
export function countFiles(files: FileSet): number {
  let count = 0
  for (const word of files) count += countBits(word)
  return count
}

/** Returns how many files are in both of two sets. */
export function countCommon(files: FileSet, others: FileSet): number {
  const shared = Math.min(files.length, others.length)
  let count = 0
  for (let i = 0; i < shared; i++) {
    const both = files[i]! & others[i]!
    if (both !== 0) count += countBits(both)
  }
  return count
}

/** Files as a set where that is smaller, else as their row numbers. */
export interface PackedFiles {
  isSet: boolean
  files: Uint32Array
}

/** Returns the files with the row numbers in some lists. */
export function packFiles(lists: number[][]): PackedFiles {
  // Node takes ten times as long to join the lists as to go through them.
  let count = 0
  let highest = 0
  for (const rids of lists) {
    count += rids.length
    for (const rid of rids) if (rid > highest) highest = rid
  }
  const words = (highest >>> 5) + 1
  const isSet = count > words
  const files = new Uint32Array(isSet ? words : count)
  let at = 0
  for (const rids of lists) {
    for (const rid of rids) {
      if (isSet) files[rid >>> 5]! |= 1 << (rid & 31)
      else files[at++] = rid
    }
  }
  return { isSet, files }
}

/** Returns the set of packed files. */
export function unpacked({ isSet, files }: PackedFiles): FileSet {
  return isSet ? files : setOf(files)
}

/** Returns how many of packed files are in a set. */
export function countAmong({ isSet, files }: PackedFiles, among: FileSet): number {
  if (isSet) return countCommon(files, among)
  let count = 0
  // Beyond the end of the set, what is shifted is undefined, which counts as 0.
  for (let i = 0; i < files.length; i++) count += (among[files[i]! >>> 5]! >>> files[i]!) & 1
  return count
}

/** Returns the row numbers of the files of a set, ascending. */
export function filesOf(files: FileSet): number[] {
  return fewFilesOf(files, Number.POSITIVE_INFINITY)!
}

/** Returns the row numbers of the files of a set, ascending; null when they are more than `most`. */
export function fewFilesOf(files: FileSet, most: number): number[] | null {
  const rids: number[] = []
  for (let index = 0; index < files.length; index++) {
    for (let word = files[index]!; word !== 0; word &= word - 1) {
      rids.push(index * 32 + 31 - Math.clz32(word & -word))
    }
    if (rids.length > most) return null
  }
  return rids
}
