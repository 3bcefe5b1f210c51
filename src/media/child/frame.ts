import { failureOf } from '../outcome.ts'
import { type Colours, coloursOfFrame } from './colours.ts'
import { secondsLeft } from './job-time.ts'
import { runProgram } from './program.ts'

const MAX_SIZE = 1920
const MAX_OUTPUT = 32 * 2 ** 20
// A playlist would name other files, and a subtitle or a picture isn't a film.
const FORMATS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpeg,mpegvideo,mpegts'
// What cameras, phones and programs for home videos write into these formats. ffmpeg has hundreds more, for games and
// screen recorders, which have not been maintained for years. No sound is decoded.
const CODECS = [
  ...['h264', 'hevc', 'libdav1d', 'libaom-av1', 'av1', 'vp8', 'libvpx', 'vp9', 'libvpx-vp9'],
  ...['mpeg4', 'msmpeg4v1', 'msmpeg4v2', 'msmpeg4', 'h263', 'h263p', 'mpeg1video', 'mpeg2video'],
  ...['mjpeg', 'prores', 'dvvideo', 'svq1', 'svq3', 'cinepak', 'theora', 'ffv1', 'huffyuv'],
  'rawvideo',
].join(',')
// Enough for 8K, and for some of the panoramas that are wider still.
const MAX_PIXELS = 70_000_000
/** The options with which a stranger's film is opened. */
export const SAFELY = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', FORMATS],
  ...['-codec_whitelist', CODECS, '-threads', '1', '-max_pixels', String(MAX_PIXELS)],
]
// The scale at which a frame fits into the largest size, with square pixels as a player shows it.
const SHRINK = `min(1,min(${MAX_SIZE}/(iw*sar),${MAX_SIZE}/ih))`
// ffmpeg takes the one that loses nothing.
const FILTER = `scale=w='max(1,iw*sar*${SHRINK})':h='max(1,ih*${SHRINK})',format=rgb24|rgb48be`
const PNG = '\x89PNG\r\n\x1a\n'

/** A frame of a video, as a PNG. */
export interface Frame {
  content: Buffer
  /** Null when they are those of sRGB, or unknown. */
  colours: Colours | null
}

/**
 * Returns a frame of a video, turned as a player turns it: the one at that second, or the first one when there is none.
 * Throws when there is neither.
 */
export async function takeFrame(ffmpeg: string, video: string, second: number): Promise<Frame> {
  if (second === 0) return frameAt(ffmpeg, video, 0)
  try {
    return await frameAt(ffmpeg, video, second)
  } catch (error) {
    const failure = failureOf(error)
    if ('refused' in failure || 'starved' in failure) throw error
    return frameAt(ffmpeg, video, 0)
  }
}

async function frameAt(ffmpeg: string, video: string, second: number): Promise<Frame> {
  const options = ['-nostdin', '-hide_banner', '-loglevel', 'error']
  const from = second > 0 ? ['-ss', second.toFixed(3)] : []
  // `V` leaves out cover pictures.
  const taking = ['-map', '0:V:0', '-frames:v', '1', '-filter_threads', '1', '-vf', FILTER]
  const writing = ['-c:v', 'png', '-compression_level', '1', '-threads', '1', '-map_metadata', '-1']
  // A PNG of older versions doesn't name its colours, but the film of one frame does.
  const wrapping = ['-movflags', 'frag_keyframe+empty_moov+write_colr', '-f', 'mov']
  const args = [...options, ...SAFELY, ...from, '-i', `file:${video}`]
  const limits = { output: MAX_OUTPUT, seconds: secondsLeft() }
  const frame = await runProgram(
    ffmpeg,
    [...args, ...taking, ...writing, ...wrapping, 'pipe:1'],
    limits,
  )
  const start = frame.indexOf(PNG, 0, 'latin1')
  if (start < 0) throw new Error('the video gave no frame')
  return { content: frame.subarray(start), colours: coloursOfFrame(frame.subarray(0, start)) }
}
