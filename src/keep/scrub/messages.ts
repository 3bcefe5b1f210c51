/** A request to the reader: a whole content, or only whether it can be opened. */
export interface Asked {
  path: string
  isWhole: boolean
}

/** What the reader has found: size and digest of a content, or the code of the file system's error. */
export type Reading = { size: number; sha256: string } | { code: string }
