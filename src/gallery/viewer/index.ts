export { historyOf } from './details.tsx'
export { Viewer } from './viewer.tsx'
