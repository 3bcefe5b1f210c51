export { TagBox } from './box.tsx'
export { tell } from './change/report.tsx'
export { tagFiles } from './change/tagger.ts'
export { type Ids, oneFile, type Target } from './change/target.ts'
export { KeyTagDialog } from './key-tag.tsx'
export { TagKeys } from './keys.tsx'
export { Marked } from './marked.tsx'
export { findTags } from './match.ts'
export { tagFinder } from './named.ts'
export { Tagging, useTagger } from './panel.tsx'
export { Swatches } from './swatches.tsx'
export {
  addTag,
  areFilesCounted,
  areTagsLoaded,
  type Category,
  categories,
  colorOf,
  correctCounts,
  filesOf,
  prepareTags,
  type Rule,
  reloadTags,
  rules,
  showCategories,
  showRules,
  showTags,
  type Tag,
  tagIndex,
  tags,
  tagsById,
  tagsError,
} from './tags.ts'
