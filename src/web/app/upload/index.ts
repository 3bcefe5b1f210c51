export { batchTags, setBatchTags } from './batch.ts'
export { DropZone } from './drop-zone.tsx'
export { UploadPanel } from './panel.tsx'
export { UploadButton } from './upload-button.tsx'
