export { Trash } from './trash.tsx'
