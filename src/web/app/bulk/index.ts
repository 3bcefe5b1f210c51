export { BulkBar } from './bar.tsx'
export { type Change, takeOut } from './run.ts'
export { Running } from './running.tsx'
export { selectedTarget } from './target.ts'
