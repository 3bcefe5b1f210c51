import type { File } from '../../src/files/schema.ts'
import { fc } from './property.ts'

/** A filter as a tree; groups are parentheses that change nothing. */
export type Node =
  | { kind: 'tag'; id: string }
  | { kind: 'untagged' }
  | { kind: 'mime' | 'like'; text: string }
  | { kind: 'review'; needed: boolean }
  | { kind: 'favourite'; wanted: boolean }
  /** Another token, which only the oracle knows. */
  | { kind: 'fact'; token: string }
  | { kind: 'not' | 'group'; item: Node }
  | { kind: 'and' | 'or'; items: Node[] }

const TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'image/avif', 'text/plain', 'Image/JPEG']
const PATTERNS = ['image/%', '%/mp4', '%', 'image/___', 'image/_p%g', 'IMAGE/%', 'image', '%e%e%']

/** Returns trees over these tags, small ones and large ones, of at most 500 tokens. */
export function filters(ids: string[]): fc.Arbitrary<Node> {
  const leaf = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('tag'), id: fc.constantFrom(...ids) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'untagged' }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('mime'), text: fc.constantFrom(...TYPES) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('like'), text: fc.constantFrom(...PATTERNS) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('review'), needed: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('favourite'), wanted: fc.boolean() }) },
  )
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      { weight: 4, arbitrary: leaf },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('not'), item: tie('node') }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('group'), item: tie('node') }) },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constantFrom('and', 'or'),
          items: fc.array(tie('node'), { minLength: 2, maxLength: 5 }),
        }),
      },
    ),
  }))
  return (node as fc.Arbitrary<Node>).filter((tree) => tokensOf(tree).length <= 500)
}

/**
 * Returns the tree as the text of a filter, with spaces of these lengths, in turn, around tokens.
 */
export function print(tree: Node, spaces: number[] = [0]): string {
  let turn = 0
  const space = () => ' '.repeat(spaces[turn++ % spaces.length]!)
  return `{${tokensOf(tree)
    .map((token) => `${space()}${token}${space()}`)
    .join(',')}}`
}

function tokensOf(tree: Node): string[] {
  switch (tree.kind) {
    case 'tag':
      return [`t=${tree.id}`]
    case 'untagged':
      return ['t=00000000-0000-0000-0000-000000000000']
    case 'mime':
      return [`m=${tree.text}`]
    case 'like':
      return [`m~${tree.text}`]
    case 'review':
      return [tree.needed ? 'r=1' : 'r=0']
    case 'favourite':
      return [tree.wanted ? 'f=1' : 'f=0']
    case 'fact':
      return [tree.token]
    case 'group':
      return ['(', ...tokensOf(tree.item), ')']
    case 'not': {
      const bare = tree.item.kind !== 'and' && tree.item.kind !== 'or'
      return bare ? ['!', ...tokensOf(tree.item)] : ['!', '(', ...tokensOf(tree.item), ')']
    }
    case 'and':
      return join('&', tree.items, (item) => item.kind === 'or')
    case 'or':
      return join('|', tree.items, () => false)
  }
}

function join(operator: string, items: Node[], looser: (item: Node) => boolean): string[] {
  return items.flatMap((item, index) => {
    const tokens = looser(item) ? ['(', ...tokensOf(item), ')'] : tokensOf(item)
    return index === 0 ? tokens : [operator, ...tokens]
  })
}

/** Returns whether a file, as its viewer sees it, is one of those that the tree asks for. */
export function matches(tree: Node, file: File): boolean {
  switch (tree.kind) {
    case 'tag':
      return file.tags.some((tag) => tag.id === tree.id)
    case 'untagged':
      return file.tags.length === 0
    case 'mime':
      return file.mime_type === tree.text
    case 'like':
      return new RegExp(
        `^${tree.text.replaceAll('%', '.*').replaceAll('_', '.').replaceAll('/', '\\/')}$`,
      ).test(file.mime_type)
    case 'review':
      return file.needs_review === tree.needed
    case 'favourite':
      return file.is_favourite === tree.wanted
    case 'fact':
      throw new Error('files as answers show them don’t tell')
    case 'not':
      return !matches(tree.item, file)
    case 'group':
      return matches(tree.item, file)
    case 'and':
      return tree.items.every((item) => matches(item, file))
    case 'or':
      return tree.items.some((item) => matches(item, file))
  }
}

/** Types of which no test has a file. */
const ABSENT = ['gif', 'webp', 'heif', 'tiff', 'heic'].map((name) => `image/${name}`)

/**
 * Returns a filter that asks for the same as a condition, of more conditions than are asked of one file, no
 * two of its parts alike.
 */
export function manyTimes(condition: string): string {
  const parts = ABSENT.map((type) => `(,${condition},&,!,m=${type},)`)
  return `{${parts.join(',|,')}}`
}
