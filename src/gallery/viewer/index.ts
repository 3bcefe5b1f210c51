export { historyOf } from './details.tsx'
export { Tool } from './tools.tsx'
export { Viewer } from './viewer.tsx'
