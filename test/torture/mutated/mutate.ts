/** Values that readers count, look up or allocate by. */
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]
/** How many changes there are at most. */
const MOST = 6

/** Returns a copy of a file with a few changes; `random` returns a number below the one it is given. */
export function mutated(bytes: Uint8Array, random: (n: number) => number): Buffer {
  let changed: Buffer = Buffer.from(bytes)
  for (let left = 1 + random(MOST); left > 0 && changed.length > 8; left--) {
    changed = CHANGES[random(CHANGES.length)]!(changed, placeIn(changed, random), random)
  }
  return changed
}

type Change = (bytes: Buffer, at: number, random: (n: number) => number) => Buffer

const CHANGES: Change[] = [
  function flipBit(bytes, at, random) {
    bytes[at]! ^= 1 << random(8)
    return bytes
  },
  function setByte(bytes, at, random) {
    bytes[at] = random(256)
    return bytes
  },
  function setNumber(bytes, at, random) {
    const value = EXTREMES[random(EXTREMES.length)]!
    if (random(2) === 0) bytes.writeUInt32BE(value, Math.min(at, bytes.length - 4))
    else bytes.writeUInt32LE(value, Math.min(at, bytes.length - 4))
    return bytes
  },
  function cutOff(bytes, at) {
    return bytes.subarray(0, Math.max(8, at))
  },
  function takeOut(bytes, at, random) {
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(64))])
  },
  function repeat(bytes, at, random) {
    const part = bytes.subarray(at, at + 1 + random(256))
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
  },
]

/** Half of the changes are in the head, where what the rest is read by stands. */
function placeIn(bytes: Buffer, random: (n: number) => number): number {
  return random(random(2) === 0 ? Math.min(1024, bytes.length) : bytes.length)
}
