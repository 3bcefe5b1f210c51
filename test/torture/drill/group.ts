/** Work of which some is under way at once. */
export interface Group {
  /** Begins a piece of work; resolves when there is room for another one. Throws what an earlier one has thrown. */
  add(work: () => Promise<void>): Promise<void>
  /** Resolves once all is done. Throws what any of it has thrown. */
  end(): Promise<void>
}

/** How much is under way at once. */
const AT_ONCE = 8

export function createGroup(): Group {
  const underWay = new Set<Promise<void>>()
  return {
    async add(work) {
      const piece = work().then(() => {
        underWay.delete(piece)
      })
      piece.catch(() => {})
      underWay.add(piece)
      if (underWay.size >= AT_ONCE) await Promise.race(underWay)
    },
    async end() {
      await Promise.all(underWay)
    },
  }
}
