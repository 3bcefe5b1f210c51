import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Returns the average colour of a base64 thumbhash as a CSS colour. */
export function averageColour(hash: string): string {
  const { r, g, b } = thumbHashToAverageRGBA(bytesOf(hash))
  return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')})`
}

/** Returns the picture of a base64 thumbhash as a URL for an image. */
export function blurredPicture(hash: string): string {
  return thumbHashToDataURL(bytesOf(hash))
}

function bytesOf(hash: string): Uint8Array {
  return Uint8Array.from(atob(hash), (character) => character.charCodeAt(0))
}
