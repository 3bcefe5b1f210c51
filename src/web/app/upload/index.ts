export { DropZone } from './drop-zone.tsx'
export { UploadPanel } from './panel.tsx'
export { UploadButton } from './upload-button.tsx'
export { batch } from './uploads.ts'
