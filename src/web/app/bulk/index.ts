export { BulkBar } from './bar.tsx'
