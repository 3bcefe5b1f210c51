import { readFile, stat } from 'node:fs/promises'
import sharp from 'sharp'
import { libheifCode, requirePackage } from '../../base/paths.ts'
import { MAX_HEIC_PIXELS } from './heic.ts'
import { decodeFirstFrame, type LibheifMemory, type Pixels } from './heic-sequence.ts'
import { tiffHead } from './tiff.ts'

// This process decodes one HEIC: it prints the picture as a TIFF and ends.

// The part of libheif's build for JavaScript that is used here; handles are opaque.
interface Libheif extends LibheifMemory {
  heif_context_alloc(): object
  heif_context_read_from_memory(context: object, bytes: Uint8Array): Failure
  heif_js_context_get_primary_image_handle(context: object): object & Partial<Failure>
  heif_image_handle_get_width(handle: object): number
  heif_image_handle_get_height(handle: object): number
  heif_image_handle_has_alpha_channel(handle: object): number
  heif_js_decode_image2(handle: object, colorspace: unknown, chroma: unknown): Decoded
  heif_error_code: { heif_error_Ok: unknown }
  heif_colorspace: { heif_colorspace_RGB: unknown }
  heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown }
}
interface Failure {
  code: unknown
  message: string
}
interface Decoded extends Partial<Failure> {
  channels?: { data: Uint8Array; width: number; height: number; stride: number }[]
}

const MAX_FILE = 200_000_000

async function loadLibheif(): Promise<Libheif> {
  const wasmBinary = await readFile(libheifCode())
  return requirePackage('libheif-js/libheif-wasm/libheif.js')({ wasmBinary })
}

async function decode(path: string): Promise<Uint8Array[]> {
  if ((await stat(path)).size > MAX_FILE) throw new Error('the file is too large')
  const heif = await loadLibheif()
  const pixels = decodePicture(heif, await readFile(path))
  const { width, height, samples, stride, data } = pixels
  const { icc } = await sharp(path)
    .metadata()
    .catch(() => ({ icc: undefined }))
  const head = tiffHead({ width, height, samples, icc })
  const rowLength = width * samples
  if (stride === rowLength) return [head, data.subarray(0, height * stride)]
  const rows = Array.from({ length: height }, (_, y) =>
    data.subarray(y * stride, y * stride + rowLength),
  )
  return [head, ...rows]
}

function decodePicture(heif: Libheif, bytes: Uint8Array): Pixels {
  const context = heif.heif_context_alloc()
  const read = heif.heif_context_read_from_memory(context, bytes)
  if (read.code !== heif.heif_error_code.heif_error_Ok) throw new Error(read.message)
  const handle = heif.heif_js_context_get_primary_image_handle(context)
  // A sequence need not have a primary picture.
  if (handle.code !== undefined) return decodeFirstFrame(heif, bytes, MAX_HEIC_PIXELS)
  const pixels =
    heif.heif_image_handle_get_width(handle) * heif.heif_image_handle_get_height(handle)
  if (pixels > MAX_HEIC_PIXELS) throw new Error(`${pixels} pixels are too many`)

  const hasAlpha = heif.heif_image_handle_has_alpha_channel(handle) !== 0
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = heif.heif_chroma
  const chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
  const colours = heif.heif_colorspace.heif_colorspace_RGB
  const { channels, message } = heif.heif_js_decode_image2(handle, colours, chroma)
  const plane = channels?.[0]
  if (plane === undefined) throw new Error(message ?? 'nothing was decoded')
  return { ...plane, samples: hasAlpha ? 4 : 3 }
}

const print = (bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

// A service manager's SIGTERM reaches this process too, but the server still finishes its uploads.
process.on('SIGTERM', () => {})
try {
  const parts = await decode(process.argv[2]!)
  for (const part of parts) await print(part)
  process.exit(0)
} catch (error) {
  process.stderr.write((error as Error).message)
  process.exit(1)
}
