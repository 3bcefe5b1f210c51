export { FilterBar } from './bar.tsx'
export { NothingMatches } from './nothing.tsx'
export { OrderDialog } from './order.tsx'
export { filterByTag, hrefOfTag, isFiltered, sentence, usedTags } from './state.ts'
