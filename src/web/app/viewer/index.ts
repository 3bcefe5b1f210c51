export { Viewer, type ViewerProps } from './viewer.tsx'
