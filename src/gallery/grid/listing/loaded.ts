import { type Blocks, blockAt } from './blocks.ts'

/** The blocks of a listing. */
interface Loaded {
  blocks: Blocks
}

/** Returns the position of a loaded file, or null. */
export function loadedPosition({ blocks }: Loaded, id: string): number | null {
  for (const { files, first } of blocks.list) {
    const index = files?.ids.indexOf(id) ?? -1
    if (index !== -1) return first + index
  }
  return null
}

/** Returns the id of the file at a position, if its block is loaded. */
export function loadedId({ blocks }: Loaded, position: number): string | undefined {
  const block = blocks.list[blockAt(blocks.list, position)]
  return block?.files?.ids[position - block.first]
}
