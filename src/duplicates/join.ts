/** Two files that belong together, by row numbers. */
export type Pair = [number, number]

/** Whether two files were dismissed from one another. */
export type Dismissed = (a: number, b: number) => boolean

/** Up to this many files on each side all pairs are told, of more just enough to join them. */
const TOLD_IN_FULL = 50

/**
 * Returns pairs of files of one group, in which every two are alike but for the dismissed: all of
 * them, or in a large group enough to join what is joined by them.
 */
export function pairsWithin(files: number[], dismissed: Dismissed): Pair[] {
  if (files.length > TOLD_IN_FULL) return spanningForest([files], dismissed)
  const pairs: Pair[] = []
  files.forEach((a, index) => {
    for (const b of files.slice(index + 1)) if (!dismissed(a, b)) pairs.push([a, b])
  })
  return pairs
}

/** Returns such pairs between two groups, every file of one being alike to every file of the other. */
export function pairsBetween(left: number[], right: number[], dismissed: Dismissed): Pair[] {
  if (left.length > TOLD_IN_FULL || right.length > TOLD_IN_FULL) {
    return spanningForest([left, right], dismissed)
  }
  return left.flatMap((a) => right.filter((b) => !dismissed(a, b)).map((b): Pair => [a, b]))
}

/**
 * The edges of a spanning forest of the graph in which all files of one side are joined to all of
 * the other (with a single side: to one another), but for the dismissed. A file is met once, and
 * passed over only for a dismissal, so the work grows with files and dismissals, not with pairs.
 */
function spanningForest(sides: [number[]] | [number[], number[]], dismissed: Dismissed): Pair[] {
  const pairs: Pair[] = []
  const unmet = sides.map((side) => [...side])
  const across = (side: number) => (sides.length === 1 ? side : 1 - side)
  for (let start = 0; start < unmet.length; start++) {
    for (let file = unmet[start]!.pop(); file !== undefined; file = unmet[start]!.pop()) {
      const queue = [{ file, side: start }]
      for (const met of queue) {
        const side = across(met.side)
        const passed: number[] = []
        for (const other of unmet[side]!) {
          if (dismissed(met.file, other)) {
            passed.push(other)
            continue
          }
          pairs.push([met.file, other])
          queue.push({ file: other, side })
        }
        unmet[side] = passed
      }
    }
  }
  return pairs
}

/** Returns the connected components of the pairs: each of its files ascending, by its first file. */
export function components(pairs: Iterable<Pair>): number[][] {
  const parent = new Map<number, number>()
  const root = (file: number): number => {
    let top = file
    for (let up = parent.get(top); up !== undefined && up !== top; up = parent.get(top)) top = up
    for (let step = file; step !== top; ) {
      const next = parent.get(step)!
      parent.set(step, top)
      step = next
    }
    return top
  }
  for (const [a, b] of pairs) {
    for (const file of [a, b]) if (!parent.has(file)) parent.set(file, file)
    const [x, y] = [root(a), root(b)]
    // The smaller row number leads, so that no further sorting of leaders is needed.
    if (x !== y) parent.set(Math.max(x, y), Math.min(x, y))
  }
  const members = new Map<number, number[]>()
  for (const file of parent.keys()) {
    const leader = root(file)
    const found = members.get(leader)
    if (found) found.push(file)
    else members.set(leader, [file])
  }
  return [...members.values()]
    .map((files) => files.sort((a, b) => a - b))
    .sort((a, b) => a[0]! - b[0]!)
}
