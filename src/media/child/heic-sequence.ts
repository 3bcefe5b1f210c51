/**
 * The part of libheif's C interface that is used here. Pointers are numbers, positions in the
 * memory that the views show; when it grows, the views are replaced. A function that can fail
 * writes a `heif_error` where its first argument points.
 */
export interface LibheifMemory {
  HEAPU8: Uint8Array
  HEAPU16: Uint16Array
  HEAPU32: Uint32Array
  _malloc(size: number): number
  _heif_context_alloc(): number
  _heif_context_read_from_memory_without_copy(
    error: number,
    context: number,
    bytes: number,
    size: number,
    options: number,
  ): void
  _heif_context_get_track(context: number, id: number): number
  _heif_track_get_image_resolution(
    error: number,
    track: number,
    width: number,
    height: number,
  ): void
  _heif_track_has_alpha_channel(track: number): number
  _heif_track_decode_next_image(
    error: number,
    track: number,
    image: number,
    colorspace: number,
    chroma: number,
    options: number,
  ): void
  _heif_image_get_width(image: number, channel: number): number
  _heif_image_get_height(image: number, channel: number): number
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number
}

/** Pixels with 8 bits per sample, row by row. */
export interface Pixels {
  width: number
  height: number
  /** 3 for RGB, 4 for RGBA. */
  samples: number
  /** Bytes from one row to the next. */
  stride: number
  data: Uint8Array
}

/** Values from heif.h. */
const RGB = 1
const INTERLEAVED = 10
const INTERLEAVED_RGB = 10
const INTERLEAVED_RGBA = 11
const FIRST_VISUAL_TRACK = 0

/**
 * Returns the first picture of a sequence. Throws when there is none, when it has more than `maxPixels` pixels, or when
 * it can't be decoded.
 */
export function decodeFirstFrame(
  heif: LibheifMemory,
  bytes: Uint8Array,
  maxPixels: number,
): Pixels {
  // Nothing is freed: the process ends with this picture.
  const error = heif._malloc(12)
  const results = heif._malloc(8)
  const check = () => {
    if (heif.HEAPU32[error / 4] !== 0) throw new Error(textAt(heif, heif.HEAPU32[error / 4 + 2]!))
  }
  const context = heif._heif_context_alloc()
  const copy = heif._malloc(bytes.length)
  heif.HEAPU8.set(bytes, copy)
  heif._heif_context_read_from_memory_without_copy(error, context, copy, bytes.length, 0)
  check()
  const track = heif._heif_context_get_track(context, FIRST_VISUAL_TRACK)
  if (track === 0) throw new Error('neither a primary picture nor a sequence')
  heif._heif_track_get_image_resolution(error, track, results, results + 2)
  check()
  const bound = (pixels: number) => {
    if (pixels > maxPixels) throw new Error(`${pixels} pixels are too many`)
  }
  bound(heif.HEAPU16[results / 2]! * heif.HEAPU16[results / 2 + 1]!)

  const hasAlpha = heif._heif_track_has_alpha_channel(track) !== 0
  const chroma = hasAlpha ? INTERLEAVED_RGBA : INTERLEAVED_RGB
  heif._heif_track_decode_next_image(error, track, results, RGB, chroma, 0)
  check()
  const image = heif.HEAPU32[results / 4]!
  const width = heif._heif_image_get_width(image, INTERLEAVED)
  const height = heif._heif_image_get_height(image, INTERLEAVED)
  // The picture may be larger than its track says.
  bound(width * height)
  const plane = heif._heif_image_get_plane_readonly(image, INTERLEAVED, results)
  const stride = heif.HEAPU32[results / 4]!
  const data = heif.HEAPU8.subarray(plane, plane + height * stride)
  return { width, height, samples: hasAlpha ? 4 : 3, stride, data }
}

function textAt({ HEAPU8 }: LibheifMemory, start: number): string {
  return Buffer.from(HEAPU8.subarray(start, HEAPU8.indexOf(0, start))).toString()
}
