export { Marked, TagBox } from './box.tsx'
export { Refused, Swatches } from './create.tsx'
export { KeyTagDialog } from './key-tag.tsx'
export {
  areNewTagsPublic,
  createCategory,
  createTag,
  type Refusal,
  refusalOf,
} from './make.ts'
export { findTags, ownName, tagFinder } from './match.ts'
export { Tagging, TagKeys, useTagger } from './panel.tsx'
export { reportOutcome } from './report.tsx'
export { tagFiles } from './tagger.ts'
export {
  addTag,
  areCategoriesThere,
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
export { type Ids, oneFile, type Target } from './target.ts'
