import sharp, { type Sharp } from 'sharp'

/** Colours of the sky above and below, of the sun, and of hills from the farthest to the nearest. */
const PALETTES = [
  ['#4a90c8', '#cfe6f2', '#fff4d0', '#8fb3a8', '#5f9272', '#2f6b4a'],
  ['#2c3e66', '#f2a65a', '#ffd98a', '#9a6a78', '#6a4a66', '#332a44'],
  ['#9ccbe6', '#f4f0e2', '#ffffff', '#c8d4c0', '#a7b894', '#7f935f'],
  ['#5a7fa8', '#e8c8c0', '#ffe8d8', '#b09aa8', '#7c7f9c', '#4a5a80'],
  ['#7ab0a0', '#f0e8b8', '#fff8d8', '#d0b070', '#b88848', '#80582c'],
  ['#101828', '#384868', '#e8e8f0', '#2c3850', '#202a40', '#141c2c'],
] as const

/** Returns a landscape that was never there, of a size in pixels; another one for each number. */
export function drawn(seed: number, width: number, height: number): Sharp {
  const [above, below, sun, ...hills] = PALETTES[seed % PALETTES.length]!.map(rgbOf)
  const pixels = Buffer.alloc(width * height * 3)
  const centre = {
    x: width * (0.2 + 0.6 * part(seed, 1)),
    y: height * (0.18 + 0.2 * part(seed, 2)),
  }
  const radius = height * (0.05 + 0.05 * part(seed, 3))
  for (let x = 0; x < width; x++) {
    const tops = hills.map((_, layer) => height * topOf(seed, layer, x / width))
    for (let y = 0; y < height; y++) {
      const layer = tops.findLastIndex((top) => y > top)
      const isSun = Math.hypot(x - centre.x, y - centre.y) < radius
      const colour = layer >= 0 ? hills[layer]! : isSun ? sun! : between(above!, below!, y / height)
      pixels.set(colour, (y * width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

type Rgb = [number, number, number]

function rgbOf(text: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as Rgb
}

function between(a: Rgb, b: Rgb, share: number): Rgb {
  return a.map((value, channel) => value + (b[channel]! - value) * share) as Rgb
}

/** Where a row of hills ends, as a part of the height. */
function topOf(seed: number, layer: number, x: number): number {
  const waves = [1, 2, 5].map(
    (waves, n) => Math.sin((x * waves + part(seed, layer * 7 + n)) * 2 * Math.PI) / (waves * 14),
  )
  return 0.5 + layer * 0.16 + waves.reduce((sum, wave) => sum + wave)
}

/** Returns a number from 0 to 1 that is always the same for a pair. */
function part(seed: number, index: number): number {
  const value = Math.sin(seed * 12.9898 + index * 78.233) * 43_758.5453
  return value - Math.floor(value)
}
