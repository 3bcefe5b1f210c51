export { TagBox } from './box.tsx'
export type { OnFiles } from './change/edits.ts'
export { tell } from './change/report.tsx'
export { inSlices, slicesOf } from './change/slices.ts'
export { tagFiles } from './change/tagger.ts'
export { asOnFiles, type Ids, oneFile, type Target } from './change/target.ts'
export { Marked } from './marked.tsx'
export { findTags, type Match } from './match.ts'
export { Tagging, useTagger, useTagKeys } from './panel.tsx'
export {
  areFilesCounted,
  areTagsLoaded,
  colorOf,
  filesOf,
  reloadCounts,
  reloadTags,
  type Tag,
  tagIndex,
  tags,
  tagsById,
  tagsError,
} from './tags.ts'
