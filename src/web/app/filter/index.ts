export { FilterBar } from './bar.tsx'
export { NothingMatches } from './nothing.tsx'
export { orderChoices } from './order.tsx'
export { filterByTag, hrefOfTag, isFiltered, sentence, usedTags } from './state.ts'
