import { combine, type FileSet, invert } from '../file-set.ts'
import { type Trait, type Tree, traitsOf } from '../find/tree.ts'

/** The sets of a tree's leaves. */
interface LeafSets {
  /** How many words a set needs to hold every file. */
  words: number
  tag(rid: number): FileSet
  trait(trait: Trait): FileSet
  untagged(): FileSet
}

/**
 * Returns the set of files that match the tree; negated, it also holds numbers that no file has.
 */
export function evaluate(tree: Tree, leaves: LeafSets): FileSet {
  switch (tree.kind) {
    case 'never':
      return new Uint32Array(leaves.words)
    case 'always':
      return invert(new Uint32Array(leaves.words))
    case 'tags': {
      const sets = tree.tags.map((tag) => leaves.tag(tag))
      const result = combine(tree.match === 'any' ? 'or' : 'and', sets, leaves.words)
      return tree.negated ? invert(result) : result
    }
    case 'untagged': {
      const result = combine('or', [leaves.untagged()], leaves.words)
      return tree.negated ? invert(result) : result
    }
    case 'mime':
      return combine('or', traitsOf(tree).map(leaves.trait), leaves.words)
    case 'review': {
      const result = combine('or', traitsOf(tree).map(leaves.trait), leaves.words)
      return tree.needed ? result : invert(result)
    }
    case 'and':
    case 'or':
      return combine(tree.kind, operandsOf(tree.items, leaves), leaves.words)
  }
}

/** Yields one set after another, so that only one at a time is in memory. */
function* operandsOf(items: Tree[], leaves: LeafSets): Generator<FileSet> {
  for (const item of items) yield evaluate(item, leaves)
}
