export { show } from './show.ts'
export { loadSlideshow, playFiles, playListing } from './start.ts'
