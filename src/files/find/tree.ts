import type { Fact } from './facts.ts'
import type { Condition, Expression } from './parse.ts'
import { ALL_TIMES, commonRange, type Range, wholeRange } from './range.ts'
import type { Trait } from './traits.ts'

/**
 * A filter that is ready to run: tags are row numbers, NOT is only at the leaves, the tags of one AND or OR are folded
 * into one leaf with a list, and no AND or OR has two parts that are written the same.
 */
export type Tree =
  | { kind: 'always' | 'never' }
  /** The file has at least one of the tags (`any`) or every one (`all`); negated, it does not. */
  | { kind: 'tags'; match: 'any' | 'all'; tags: number[]; negated: boolean }
  | { kind: 'untagged'; negated: boolean }
  | { kind: 'mime'; types: string[] }
  | { kind: 'trait'; trait: Trait; negated: boolean }
  | { kind: 'and' | 'or'; items: Tree[] }

interface Names {
  /** Returns the row number of a tag, or null if the viewer may not view it or it doesn't exist. */
  tag(id: string): number | null
  /** Returns the row numbers of the tags of a category, or of all, as far as the viewer may view both. */
  tagsOf(category: string | null): number[]
  /** Returns the row number of a pool, or null if the viewer may not view it or it doesn't exist. */
  pool(id: string): number | null
  mimeTypes: readonly string[]
  rawTypes: readonly string[]
}

/** Returns the tree of an expression, with `never` for what can't match, such as a hidden tag. */
export function buildTree(expression: Expression, names: Names): Tree {
  return build(expression, false, names)
}

function build(expression: Expression, negated: boolean, names: Names): Tree {
  if (expression.kind === 'not') return build(expression.item, !negated, names)
  if (expression.kind === 'condition') return leaf(expression.condition, negated, names)
  // De Morgan: a negated AND is the OR of its negated parts.
  const kind = (expression.kind === 'and') === !negated ? 'and' : 'or'
  return combine(
    kind,
    expression.items.map((item) => build(item, negated, names)),
  )
}

function leaf(condition: Condition, negated: boolean, names: Names): Tree {
  switch (condition.kind) {
    case 'tag': {
      const tag = names.tag(condition.id)
      if (tag === null) return { kind: negated ? 'always' : 'never' }
      return { kind: 'tags', match: 'any', tags: [tag], negated }
    }
    case 'untagged':
      return { kind: 'untagged', negated }
    case 'review':
      return traitLeaf({ of: 'review' }, condition.needed === negated)
    case 'favourite':
      return traitLeaf({ of: 'favourite' }, condition.wanted === negated)
    case 'fact':
      return factLeaf(condition.fact, condition.negated !== negated, names)
    case 'mime':
      return mimeLeaf(names, (type) => (type === condition.value) !== negated)
    case 'mime_like':
      return mimeLeaf(names, (type) => like(condition.pattern, type) !== negated)
  }
}

function traitLeaf(trait: Trait, negated: boolean): Tree {
  return { kind: 'trait', trait, negated }
}

function factLeaf(fact: Fact, negated: boolean, names: Names): Tree {
  const nothing: Tree = { kind: negated ? 'always' : 'never' }
  switch (fact.of) {
    case 'category': {
      const tags = names.tagsOf(fact.id)
      return tags.length === 0 ? nothing : { kind: 'tags', match: 'any', tags, negated }
    }
    case 'pool': {
      const pool = fact.id === null ? null : names.pool(fact.id)
      return fact.id !== null && pool === null ? nothing : traitLeaf({ of: 'pool', pool }, negated)
    }
    case 'raw':
      return mimeLeaf(names, (type) => names.rawTypes.includes(type) !== negated)
    default:
      return traitLeaf(fact, negated)
  }
}

function mimeLeaf(names: Names, matches: (type: string) => boolean): Tree {
  const types = names.mimeTypes.filter(matches)
  if (types.length === 0) return { kind: 'never' }
  return types.length === names.mimeTypes.length ? { kind: 'always' } : { kind: 'mime', types }
}

/** Returns the tree of the files that match both of two; null is everything. */
export function both(one: Tree | null, other: Tree | null): Tree | null {
  return one && other ? combine('and', [one, other]) : (one ?? other)
}

function combine(kind: 'and' | 'or', parts: Tree[]): Tree {
  const neutral = kind === 'and' ? 'always' : 'never'
  const absorbing = kind === 'and' ? 'never' : 'always'
  const joined = parts.flatMap((part) => (part.kind === kind ? part.items : [part]))
  const items = foldTypes(kind, joined).filter((part) => part.kind !== neutral)
  if (items.some((item) => item.kind === absorbing)) return { kind: absorbing }
  const folded = distinct(foldTags(kind, items))
  if (folded.length === 0) return { kind: neutral }
  return folded.length === 1 ? folded[0]! : { kind, items: folded }
}

/**
 * Joins single tags of the same sign: `a OR b` becomes any of the two, `a AND b` all of the two; with negation it is
 * the other way round: `NOT a AND NOT b` becomes not any of the two.
 */
function foldTags(kind: 'and' | 'or', items: Tree[]): Tree[] {
  const rest: Tree[] = []
  const single = { plain: new Set<number>(), negated: new Set<number>() }
  for (const item of items) {
    if (item.kind === 'tags' && (item.tags.length === 1 || foldsInto(kind, item))) {
      for (const tag of item.tags) single[item.negated ? 'negated' : 'plain'].add(tag)
    } else rest.push(item)
  }
  const folded: Tree[] = []
  for (const negated of [false, true]) {
    // Sorted, so that equal leaves are written the same.
    const tags = [...single[negated ? 'negated' : 'plain']].sort((a, b) => a - b)
    const match = tags.length === 1 ? 'any' : matchOf(kind, negated)
    if (tags.length > 0) folded.push({ kind: 'tags', match, tags, negated })
  }
  return [...folded, ...rest]
}

function foldTypes(kind: 'and' | 'or', items: Tree[]): Tree[] {
  const named = items.flatMap((item) => (item.kind === 'mime' ? [item.types] : []))
  if (named.length < 2) return items
  const rest = items.filter((item) => item.kind !== 'mime')
  const union = [...new Set(named.flat())].sort()
  const isInAll = (type: string) => named.every((types) => types.includes(type))
  const types = kind === 'or' ? union : union.filter(isInAll)
  return [...rest, types.length === 0 ? { kind: 'never' } : { kind: 'mime', types }]
}

function distinct(items: Tree[]): Tree[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

function matchOf(kind: 'and' | 'or', negated: boolean): 'any' | 'all' {
  return (kind === 'or') === !negated ? 'any' : 'all'
}

function foldsInto(kind: 'and' | 'or', item: { match: 'any' | 'all'; negated: boolean }): boolean {
  return item.match === matchOf(kind, item.negated)
}

/**
 * Returns whether SQL's `text LIKE pattern` holds, case-sensitively: `%` matches any run of characters, `_` any single
 * one.
 */
export function like(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let retry: { p: number; t: number } | null = null
  while (t < text.length) {
    if (pattern[p] === '%') {
      retry = { p: ++p, t }
    } else if (p < pattern.length && (pattern[p] === '_' || pattern[p] === text[t])) {
      p++
      t++
    } else if (retry) {
      p = retry.p
      t = ++retry.t
    } else return false
  }
  while (pattern[p] === '%') p++
  return p === pattern.length
}

/** Returns the number of leaves of a tree. */
export function countLeaves(tree: Tree): number {
  if (tree.kind !== 'and' && tree.kind !== 'or') return 1
  return tree.items.reduce((sum, item) => sum + countLeaves(item), 0)
}

/** Returns the row numbers of all the tags in a tree, each once. */
export function tagsOf(tree: Tree): number[] {
  const found = new Set<number>()
  const visit = (node: Tree) => {
    if (node.kind === 'tags') for (const tag of node.tags) found.add(tag)
    if (node.kind === 'and' || node.kind === 'or') node.items.forEach(visit)
  }
  visit(tree)
  return [...found]
}

/** Returns types that include that of every matching file; null when it may have any type. */
export function typesOf(tree: Tree): string[] | null {
  if (tree.kind === 'mime') return tree.types
  if (tree.kind !== 'and' && tree.kind !== 'or') return null
  const parts = tree.items.map(typesOf)
  const asked = parts.filter((types) => types !== null)
  if (tree.kind === 'or') return asked.length < parts.length ? null : [...new Set(asked.flat())]
  return asked.length === 0
    ? null
    : asked.reduce((all, types) => all.filter((type) => types.includes(type)))
}

/** Returns a range of days, in milliseconds by local clocks, in which every matching file was taken. */
export function daysOf(tree: Tree): Range {
  if (tree.kind === 'and') return tree.items.map(daysOf).reduce(commonRange)
  if (tree.kind === 'or') return tree.items.map(daysOf).reduce(wholeRange)
  if (tree.kind !== 'trait' || tree.negated || tree.trait.of !== 'days') return ALL_TIMES
  return { from: tree.trait.from, to: tree.trait.to }
}

/** Returns whether a tree asks for files without tags. */
export function asksUntagged(tree: Tree): boolean {
  if (tree.kind === 'and' || tree.kind === 'or') return tree.items.some(asksUntagged)
  return tree.kind === 'untagged'
}

/** Returns the traits in a tree, those that are written the same together. */
export function traitsOf(tree: Tree): Trait[][] {
  const found = new Map<string, Trait[]>()
  const visit = (node: Tree) => {
    if (node.kind === 'and' || node.kind === 'or') node.items.forEach(visit)
    if (node.kind !== 'trait') return
    const key = JSON.stringify(node.trait)
    found.set(key, [...(found.get(key) ?? []), node.trait])
  }
  visit(tree)
  return [...found.values()]
}
