import { countBits } from '../base/bits.ts'

/** A set of files, each as bit `rid & 31` of word `rid >>> 5`; a file beyond the end isn't in the set. */
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

/** Inverts a set in place, which also adds numbers that no file has, and returns it. */
export function invert(files: FileSet): FileSet {
  for (let i = 0; i < files.length; i++) files[i] = ~files[i]!
  return files
}

/** Removes the files of another set from a set in place, and returns it. */
export function without(files: FileSet, others: FileSet): FileSet {
  const shared = Math.min(files.length, others.length)
  for (let i = 0; i < shared; i++) files[i]! &= ~others[i]!
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

/** Adds a file to a set and returns the set, which is a new one if it had to grow. */
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

/** Returns the number of files in a set. */
export function countFiles(files: FileSet): number {
  let count = 0
  for (const word of files) count += countBits(word)
  return count
}

/** Returns the row numbers of the files of a set, ascending. */
export function filesOf(files: FileSet): number[] {
  const rids: number[] = []
  for (let index = 0; index < files.length; index++) {
    for (let word = files[index]!; word !== 0; word &= word - 1) {
      rids.push(index * 32 + 31 - Math.clz32(word & -word))
    }
  }
  return rids
}
