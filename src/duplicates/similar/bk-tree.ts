import { countBits } from '../../bits.ts'

/** A set of 64-bit hashes that finds those near a given one. */
export interface BkTree {
  add(hi: number, lo: number): void
  /** Removes the hash; its node stays, because other nodes are reached through it. */
  remove(hi: number, lo: number): void
  /**
   * Yields the hashes within the distance in slices, in no particular order; the tree may change
   * between two of them, which then shows in the rest or not.
   */
  within(hi: number, lo: number, distance: number): Generator<NearHash[]>
  /** Number of hashes in the set. */
  readonly size: number
}

export interface NearHash {
  hi: number
  lo: number
  distance: number
}

/**
 * The nodes, in flat arrays: the children of a node form a chain that starts at `child` and goes on
 * by `sibling`; `edge` is the distance of a node from its parent.
 */
interface Nodes {
  count: number
  hi: Int32Array
  lo: Int32Array
  child: Int32Array
  sibling: Int32Array
  edge: Uint8Array
  isLive: Uint8Array
}

/** Stands for no node: the root, which is node 0, is never a child or a sibling. */
const NONE = 0
const FIRST_CAPACITY = 1024
/** Number of nodes that are looked at for a slice of a search. */
const LOOKED_AT_A_TIME = 20_000

/** Returns an empty tree. */
export function createBkTree(): BkTree {
  const nodes = emptyNodes(FIRST_CAPACITY)
  let size = 0
  const setLive = (node: number, isLive: 0 | 1) => {
    size += isLive - nodes.isLive[node]!
    nodes.isLive[node] = isLive
  }
  return {
    get size() {
      return size
    },
    add(hi, lo) {
      const { node, distance } = locate(nodes, hi, lo)
      const isKnown = nodes.count > 0 && distance === 0
      setLive(isKnown ? node : append(nodes, hi, lo, { parent: node, edge: distance }), 1)
    },
    remove(hi, lo) {
      const { node, distance } = locate(nodes, hi, lo)
      if (nodes.count > 0 && distance === 0) setLive(node, 0)
    },
    within: (hi, lo, distance) => nodesWithin(nodes, hi, lo, distance),
  }
}

function emptyNodes(capacity: number): Nodes {
  return {
    count: 0,
    hi: new Int32Array(capacity),
    lo: new Int32Array(capacity),
    child: new Int32Array(capacity),
    sibling: new Int32Array(capacity),
    edge: new Uint8Array(capacity),
    isLive: new Uint8Array(capacity),
  }
}

function grow(nodes: Nodes): void {
  const larger = emptyNodes(nodes.count * 2)
  for (const name of ['hi', 'lo', 'child', 'sibling', 'edge', 'isLive'] as const) {
    larger[name].set(nodes[name])
  }
  Object.assign(nodes, larger, { count: nodes.count })
}

/** Returns the node of the hash, or the one that a new node would hang from, and its distance. */
function locate(nodes: Nodes, hi: number, lo: number): { node: number; distance: number } {
  for (let node = 0; ; ) {
    const distance = countBits(nodes.hi[node]! ^ hi, nodes.lo[node]! ^ lo)
    if (distance === 0) return { node, distance }
    const next = childAt(nodes, node, distance)
    if (next === NONE) return { node, distance }
    node = next
  }
}

function childAt({ child, sibling, edge }: Nodes, parent: number, distance: number): number {
  let node = child[parent]!
  while (node !== NONE && edge[node] !== distance) node = sibling[node]!
  return node
}

/** Adds a node that isn't live yet and returns it; the first one is the root. */
function append(
  nodes: Nodes,
  hi: number,
  lo: number,
  { parent, edge }: { parent: number; edge: number },
): number {
  if (nodes.count === nodes.hi.length) grow(nodes)
  const node = nodes.count++
  nodes.hi[node] = hi
  nodes.lo[node] = lo
  if (node === 0) return node
  nodes.edge[node] = edge
  nodes.sibling[node] = nodes.child[parent]!
  nodes.child[parent] = node
  return node
}

function* nodesWithin(
  nodes: Nodes,
  hi: number,
  lo: number,
  distance: number,
): Generator<NearHash[]> {
  const open = nodes.count === 0 ? [] : [0]
  while (open.length > 0) yield nextWithin(nodes, { hi, lo, distance }, open)
}

/** Looks at some of the open nodes, which opens others; returns those within the distance. */
function nextWithin(nodes: Nodes, { hi, lo, distance }: NearHash, open: number[]): NearHash[] {
  const { hi: his, lo: los, child, sibling, edge, isLive } = nodes
  const near: NearHash[] = []
  for (let looked = 0; looked < LOOKED_AT_A_TIME && open.length > 0; looked++) {
    const node = open.pop()!
    const away = countBits(his[node]! ^ hi, los[node]! ^ lo)
    if (away <= distance && isLive[node] === 1) {
      near.push({ hi: his[node]!, lo: los[node]!, distance: away })
    }
    // By the triangle inequality, no other edge leads to a hash within the distance.
    for (let next = child[node]!; next !== NONE; next = sibling[next]!) {
      if (Math.abs(edge[next]! - away) <= distance) open.push(next)
    }
  }
  return near
}
