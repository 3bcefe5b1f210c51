export { BulkBar } from './bar.tsx'
export { type Change, run } from './run.ts'
export { Running } from './running.tsx'
export { selectedTarget } from './target.ts'
