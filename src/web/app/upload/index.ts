export { DropZone } from './drop-zone.tsx'
export { UploadPanel } from './panel.tsx'
export { batch, batchPool, chooseTag } from './uploads.ts'
