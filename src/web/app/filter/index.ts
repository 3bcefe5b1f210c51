export { FilterBar } from './bar.tsx'
export { filterByTag, hrefOfTag, isFiltered, sentence, usedTags } from './state.ts'
