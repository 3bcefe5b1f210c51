import sharp from 'sharp'
import { randomNumbers } from '../file-rows.ts'
import { draw } from './drawing.ts'

const WIDTH = 640
const HEIGHT = 480

/** Returns the drawing of a picture of 640x480. */
type Draw = () => string

const DRAWN: Record<string, Draw> = {
  black: () => filled('#000000'),
  white: () => filled('#ffffff'),
  red: () => filled('#d01818'),
  grey: () => filled('#808080'),
  'gradient downwards': () => graded('#203040', '#d0d8e0'),
  'gradient aslant': () => graded('#302018', '#e8d0b0', { x: 1 }),
  'blue sky': () => graded('#2060c0', '#90c0f0'),
  'evening sky': () => graded('#203070', '#f0a060'),
  'hazy sky': () => graded('#a8c0d8', '#e0e8f0', { x: 0.2 }),
  'sea in the middle': () => sea(240, '#80b0e0', '#205080'),
  'sea below': () => sea(330, '#a0c8f0', '#306070'),
  'sea above, grey': () => sea(150, '#c0c8d0', '#506068'),
  snow: () => graded('#e8ecf4', '#f8f8fc', { x: 0.4 }),
  fog: () => graded('#b0b4b8', '#989ca0', { x: 0.1 }),
  'flag with stripes across': () => flag(['#111111', '#dd0000', '#ffcc00'], 'across'),
  'flag with stripes down': () => flag(['#0050a0', '#ffffff', '#e03040'], 'down'),
}
/** How strong the noise of a camera is in each, in levels; 1.5 where nothing is said. */
const NOISE: Record<string, number> = { black: 0, white: 0, red: 0, grey: 0 }

/** Returns 18 pictures that show next to nothing, each by its name, as JPEG. */
export async function plainPictures(): Promise<Map<string, Buffer>> {
  const pictures = new Map<string, Buffer>()
  for (const [index, [name, bodyOf]] of Object.entries(DRAWN).entries()) {
    const data = await (await draw(WIDTH, HEIGHT, bodyOf())).raw().toBuffer()
    pictures.set(name, await asJpeg(noisy(data, NOISE[name] ?? 1.5, index + 1)))
  }
  const dark = new Uint8Array(WIDTH * HEIGHT * 3).fill(7)
  pictures.set('lens cap', await asJpeg(noisy(dark, 6, 101)))
  pictures.set(
    'white noise',
    await asJpeg(
      noisy(
        dark.map(() => 128),
        100,
        102,
      ),
    ),
  )
  return pictures
}

function filled(colour: string): string {
  return `<rect width="100%" height="100%" fill="${colour}"/>`
}

/** A gradient from the top, and as far to the right as `x` says. */
function graded(from: string, to: string, { x = 0 } = {}): string {
  const stops = `<stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`
  return `<linearGradient id="g" x1="0" y1="0" x2="${x}" y2="1">${stops}</linearGradient>${filled('url(#g)')}`
}

function sea(horizon: number, sky: string, water: string): string {
  const below = `<rect y="${horizon}" width="100%" height="100%" fill="${water}"/>`
  return `${graded(sky, '#e8f0f4')}${below}`
}

function flag(colours: string[], way: 'across' | 'down'): string {
  const side = way === 'across' ? HEIGHT : WIDTH
  const stripe = (colour: string, place: number) => {
    const from = (place * side) / colours.length
    const [at, size] = way === 'across' ? ['y', 'height'] : ['x', 'width']
    const other = way === 'across' ? 'width' : 'height'
    return `<rect ${at}="${from}" ${size}="${side}" ${other}="100%" fill="${colour}"/>`
  }
  return colours.map(stripe).join('')
}

/** Adds noise of about that many levels, the same for the same seed. */
function noisy(pixels: Uint8Array, levels: number, seed: number): Buffer {
  const random = randomNumbers(seed)
  const spread = () => (random(1001) + random(1001) - 1000) / 1000
  return Buffer.from(Uint8ClampedArray.from(pixels, (value) => value + levels * 2 * spread()))
}

function asJpeg(pixels: Buffer): Promise<Buffer> {
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const
  return sharp(pixels, { raw }).jpeg({ quality: 90 }).toBuffer()
}
