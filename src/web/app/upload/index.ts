export { DropZone } from './drop-zone.tsx'
export { UploadPanel } from './panel.tsx'
export { batch, chooseTag } from './uploads.ts'
