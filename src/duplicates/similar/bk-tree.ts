import { countBits } from '../../bits.ts'

/** A set of 64-bit hashes that answers which of them are near a given one. */
export interface BkTree {
  add(hi: number, lo: number): void
  /** Takes the hash out; its node stays as a way to those behind it. */
  remove(hi: number, lo: number): void
  /** Returns the hashes within the distance, in no order. */
  within(hi: number, lo: number, distance: number): NearHash[]
  /** How many hashes are in the set. */
  readonly size: number
}

export interface NearHash {
  hi: number
  lo: number
  distance: number
}

/** The node that stands for none; the root is no node's child or sibling. */
const NONE = 0
const FIRST_CAPACITY = 1024

/** Returns an empty tree. */
export function createBkTree(): BkTree {
  // The nodes in flat arrays: a node's children are a chain from `child` on by `sibling`, and `edge` is
  // the distance of a node from its parent.
  let his = new Int32Array(FIRST_CAPACITY)
  let los = new Int32Array(FIRST_CAPACITY)
  let child = new Int32Array(FIRST_CAPACITY)
  let sibling = new Int32Array(FIRST_CAPACITY)
  let edge = new Uint8Array(FIRST_CAPACITY)
  let isLive = new Uint8Array(FIRST_CAPACITY)
  let nodes = 0
  let size = 0

  const grow = () => {
    const copyInto = <A extends Int32Array | Uint8Array>(larger: A, old: A) => {
      larger.set(old)
      return larger
    }
    const capacity = nodes * 2
    his = copyInto(new Int32Array(capacity), his)
    los = copyInto(new Int32Array(capacity), los)
    child = copyInto(new Int32Array(capacity), child)
    sibling = copyInto(new Int32Array(capacity), sibling)
    edge = copyInto(new Uint8Array(capacity), edge)
    isLive = copyInto(new Uint8Array(capacity), isLive)
  }
  const distanceTo = (node: number, hi: number, lo: number) =>
    countBits(his[node]! ^ hi, los[node]! ^ lo)
  const childAt = (parent: number, distance: number) => {
    let node = child[parent]!
    while (node !== NONE && edge[node] !== distance) node = sibling[node]!
    return node
  }
  /** The node of the hash, or where it would hang. */
  const locate = (hi: number, lo: number) => {
    for (let node = 0; ; ) {
      const distance = distanceTo(node, hi, lo)
      if (distance === 0) return { node, distance }
      const next = childAt(node, distance)
      if (next === NONE) return { node, distance }
      node = next
    }
  }
  const append = (hi: number, lo: number) => {
    if (nodes === his.length) grow()
    his[nodes] = hi
    los[nodes] = lo
    isLive[nodes] = 1
    size++
    return nodes++
  }

  return {
    get size() {
      return size
    },
    add(hi, lo) {
      if (nodes === 0) {
        append(hi, lo)
        return
      }
      const { node, distance } = locate(hi, lo)
      if (distance === 0) {
        size += 1 - isLive[node]!
        isLive[node] = 1
        return
      }
      const added = append(hi, lo)
      edge[added] = distance
      sibling[added] = child[node]!
      child[node] = added
    },
    remove(hi, lo) {
      if (nodes === 0) return
      const { node, distance } = locate(hi, lo)
      if (distance !== 0) return
      size -= isLive[node]!
      isLive[node] = 0
    },
    within(hi, lo, distance) {
      const near: NearHash[] = []
      const open = nodes === 0 ? [] : [0]
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        const away = distanceTo(node, hi, lo)
        if (away <= distance && isLive[node] === 1) {
          near.push({ hi: his[node]!, lo: los[node]!, distance: away })
        }
        // By the triangle inequality nothing near hangs on any other edge.
        for (let next = child[node]!; next !== NONE; next = sibling[next]!) {
          if (Math.abs(edge[next]! - away) <= distance) open.push(next)
        }
      }
      return near
    },
  }
}
