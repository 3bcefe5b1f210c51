export { FilterBar, orderChoices } from './bar.tsx'
export { NothingMatches } from './nothing.tsx'
export { QuickListings } from './quick.tsx'
export { filterByTag, hrefOfTag, isFiltered, sentence, usedTags } from './state.ts'
