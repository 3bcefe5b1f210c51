import type { Target } from '../tagging/index.ts'

export type Subject =
  | { files: Target }
  | { pool_id: string }
  | { tag_id: string }
  | { category_id: string }
