export { historyOf } from './history.ts'
export { Tool } from './tools.tsx'
export { Viewer } from './viewer.tsx'
