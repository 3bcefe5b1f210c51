export { DropZone } from './drop-zone.tsx'
export { UploadPanel } from './panel.tsx'
export { batch } from './uploads.ts'
