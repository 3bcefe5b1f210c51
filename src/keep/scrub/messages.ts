/** What the reader is asked for: a whole content, or only whether it can be had. */
export interface Asked {
  path: string
  isWhole: boolean
}

/** What the reader has found: what a content is, or the code of the file system's error. */
export type Reading = { size: number; sha256: string } | { code: string }
