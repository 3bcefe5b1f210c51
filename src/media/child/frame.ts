import { failureOf } from '../outcome.ts'
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
// The scale at which a frame fits into the largest size, with square pixels as a player shows it.
const SHRINK = `min(1,min(${MAX_SIZE}/(iw*sar),${MAX_SIZE}/ih))`
const FILTER = `scale=w='max(1,iw*sar*${SHRINK})':h='max(1,ih*${SHRINK})',format=rgb24`

/**
 * Returns a frame of a video as a PNG, turned as a player turns it: the one at that second, or the first one when there
 * is none. Throws when there is neither.
 */
export async function takeFrame(ffmpeg: string, video: string, second: number): Promise<Buffer> {
  if (second === 0) return frameAt(ffmpeg, video, 0)
  try {
    return await frameAt(ffmpeg, video, second)
  } catch (error) {
    const failure = failureOf(error)
    if ('refused' in failure || 'starved' in failure) throw error
    return frameAt(ffmpeg, video, 0)
  }
}

async function frameAt(ffmpeg: string, video: string, second: number): Promise<Buffer> {
  const options = ['-nostdin', '-hide_banner', '-loglevel', 'error']
  const safety = ['-protocol_whitelist', 'file', '-format_whitelist', FORMATS]
  const bounds = ['-threads', '1', '-max_pixels', String(MAX_PIXELS)]
  const decoding = ['-codec_whitelist', CODECS, ...bounds]
  const from = second > 0 ? ['-ss', second.toFixed(3)] : []
  // `V` leaves out cover pictures.
  const taking = ['-map', '0:V:0', '-frames:v', '1', '-filter_threads', '1', '-vf', FILTER]
  const writing = ['-c:v', 'png', '-compression_level', '1', '-threads', '1', '-f', 'image2pipe']
  const args = [...options, ...safety, ...decoding, ...from, '-i', `file:${video}`]
  const limits = { output: MAX_OUTPUT, seconds: secondsLeft() }
  const frame = await runProgram(ffmpeg, [...args, ...taking, ...writing, 'pipe:1'], limits)
  if (frame.length === 0) throw new Error('the video gave no frame')
  return frame
}
