import pLimit from 'p-limit'
import sharp, { type Sharp } from 'sharp'

const SVG = { operation: ['VipsForeignLoadSvg'] }
const inTurn = pLimit(1)

/**
 * Draws the body of an SVG on white. The decoder of the product reads no SVG, and blocks it in the process
 * that it is loaded in, which may be this one.
 */
export function draw(width: number, height: number, body: string): Promise<Sharp> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`
  return inTurn(async () => {
    sharp.unblock(SVG)
    try {
      const drawn = sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).raw()
      const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
      return sharp(data, { raw: info })
    } finally {
      sharp.block(SVG)
    }
  })
}
