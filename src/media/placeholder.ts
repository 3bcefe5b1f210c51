import { fileURLToPath } from 'node:url'

/** Path of the neutral 320x320 JPEG that stands where no picture can be made. */
export const PLACEHOLDER_PATH = fileURLToPath(new URL('./placeholder.jpg', import.meta.url))
