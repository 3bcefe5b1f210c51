import sharp from 'sharp'

const COLOURS = { r: [220, 30, 30], g: [30, 200, 30], b: [30, 30, 220], w: [240, 240, 240] }
type Colour = keyof typeof COLOURS

/** Returns a JPEG that is red, green, blue and white in its corners, clockwise from the upper left one. */
export async function corners(width = 60, height = 40): Promise<Buffer> {
  const pixels = Buffer.from([...COLOURS.r, ...COLOURS.g, ...COLOURS.w, ...COLOURS.b])
  return sharp(pixels, { raw: { width: 2, height: 2, channels: 3 } })
    .resize(width, height, { kernel: 'nearest' })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/**
 * Returns the size of a picture as it is shown, and the colours of its corners, clockwise from the upper left one, such
 * as `rgbw`.
 */
export async function shown(bytes: Uint8Array): Promise<[number, number, string]> {
  const { data, info } = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const [x, y] = [Math.floor(width / 4), Math.floor(height / 4)]
  const places = [
    [x, y],
    [width - 1 - x, y],
    [width - 1 - x, height - 1 - y],
    [x, height - 1 - y],
  ] as const
  const colours = places.map(([x, y]) => colourAt(data, (y * width + x) * channels))
  return [width, height, colours.join('')]
}

function colourAt(data: Uint8Array, from: number): Colour {
  const distance = (name: Colour) =>
    COLOURS[name].reduce((sum, value, n) => sum + Math.abs(value - data[from + n]!), 0)
  const names = Object.keys(COLOURS) as Colour[]
  return names.sort((one, other) => distance(one) - distance(other))[0]!
}
