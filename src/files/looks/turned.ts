import type { Rotation } from '../../base/enums.ts'
import type { Looks } from '../../media/decoder/decoder.ts'

/** Returns the rotation of a file that is turned further, clockwise. */
export function rotationAfter(rotation: Rotation, turn: Rotation): Rotation {
  return ((rotation + turn) % 360) as Rotation
}

/** Returns the looks of a content that is turned clockwise. */
export function turnedLooks(looks: Looks, rotation: Rotation): Looks {
  const { width, height, ...others } = looks
  const thumbhash = looks.thumbhash && turnedThumbhash(looks.thumbhash, rotation)
  const size = rotation % 180 === 0 ? { width, height } : { width: height, height: width }
  return { ...others, ...size, thumbhash }
}

/**
 * Returns the ThumbHash of a picture that is turned clockwise. Its terms are moved and negated, which loses nothing: four
 * quarters return the same bytes.
 */
function turnedThumbhash(hash: Uint8Array, rotation: Rotation): Uint8Array {
  let turned = hash
  for (let degrees = 0; degrees < rotation; degrees += 90) turned = quarterTurned(turned)
  return turned
}

// Where the terms of the cosines begin, in halves of bytes; pictures are flattened, so there is no alpha in between.
const TERMS = 10
const LONG_SIDE = 7
const COLOURS = [3, 3] as const

function quarterTurned(hash: Uint8Array): Uint8Array {
  const turned = Uint8Array.from(hash)
  const isLandscape = hash[4]! >> 7 === 1
  turned[4]! ^= 0x80
  const short = Math.max(3, hash[3]! & 7)
  const luminance = isLandscape ? ([LONG_SIDE, short] as const) : ([short, LONG_SIDE] as const)
  let start = TERMS
  for (const [across, down] of [luminance, COLOURS, COLOURS]) {
    const former = termsOf(across, down)
    for (const [index, [x, y]] of termsOf(down, across).entries()) {
      const from = former.findIndex(([formerX, formerY]) => formerX === y && formerY === x)
      const term = (hash[(start + from) >> 1]! >> shiftOf(start + from)) & 15
      setTerm(turned, start + index, x % 2 === 0 ? term : 15 - term)
    }
    start += former.length
  }
  return turned
}

// The frequencies of a channel, across and down, in the order of their terms.
function termsOf(across: number, down: number): [x: number, y: number][] {
  const terms: [number, number][] = []
  for (let y = 0; y < down; y++) {
    for (let x = y === 0 ? 1 : 0; x * down < across * (down - y); x++) terms.push([x, y])
  }
  return terms
}

function setTerm(hash: Uint8Array, place: number, term: number): void {
  const other = 15 << (4 - shiftOf(place))
  hash[place >> 1] = (hash[place >> 1]! & other) | (term << shiftOf(place))
}

function shiftOf(place: number): number {
  return (place & 1) * 4
}
