export { TagSide } from './side.tsx'
