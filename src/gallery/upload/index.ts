export { batch, batchPool } from './choices.ts'
export { DropZone } from './drop-zone.tsx'
export { UploadPanel } from './panel.tsx'
export { chooseTag } from './uploads.ts'
