export { downloadPair, putIntoPool, takeOutOfPool } from './actions.ts'
export { BulkBar, Running } from './bar.tsx'
export { type Change, takeOut } from './run.ts'
export { selectedTarget } from './target.ts'
