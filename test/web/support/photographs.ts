import sharp, { type Sharp } from 'sharp'

type Rgb = [number, number, number]
/** The colour at a point: `v` from 0 at the top to 1, `u` from 0 at the left in the same measure. */
type Scene = (u: number, v: number) => Rgb

/** Returns a picture that looks like a photograph from afar; another one for each number. */
export function photographed(seed: number, width: number, height: number): Sharp {
  const scene = SCENES[seed % SCENES.length]!(seed, width / height)
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / height, y / height]
      // Darker corners and grain, as of a lens and a film.
      const corner = 1 - 0.35 * ((2 * x) / width - 1) ** 2 * ((2 * y) / height - 1) ** 2
      const grain = (hash(x, y, seed) - 0.5) * 9
      for (const value of scene(u, v)) pixels[at++] = clamp(value * corner + grain, 255)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } }).blur(0.6)
}

const SCENES = [mountains, sea, clouds, forest, city, lake]

function mountains(seed: number): Scene {
  const light = pick(seed, [
    { above: '#3f74ad', below: '#f3d9b8', near: '#12261f', far: '#9fb4c9', sun: '#ffe9c0' },
    { above: '#5d6a9c', below: '#f6b98f', near: '#1a1626', far: '#c79aa0', sun: '#ffd9a0' },
    { above: '#6fa3cf', below: '#e9eff0', near: '#22382a', far: '#b9cbd6', sun: '#ffffff' },
  ])
  const [above, below, near, far, sun] = colours(light)
  const at = 0.3 + hash(1, 2, seed)
  return (u, v) => {
    const glow = Math.exp(-Math.hypot(u - at, v - 0.34) * 3.2)
    const cloud = smooth(0.5, 0.85, fbm(u * 1.4, v * 5, seed + 9, 5)) * (1 - v) * 0.75
    let colour = mix(mix(mix(above!, below!, v * 1.7), [255, 250, 244], cloud), sun!, glow)
    for (let layer = 0; layer < 6; layer++) {
      const depth = layer / 5
      const top =
        0.36 + 0.1 * layer - ridge(u * (1.1 + depth), seed * 7 + layer) * (0.26 - depth * 0.1)
      if (v < top) continue
      // Its slopes have a lit and a dark side, and mist in the valley.
      const slope = fbm(u * (7 + 9 * depth) + v * 6, v * 13, seed + layer, 5) - 0.5
      const rock = mix(far!, near!, depth ** 0.8)
      const mist = Math.min(0.75, (v - top) * 2.1) * (1 - depth)
      colour = mix(shade(rock, 1 + slope * (0.25 + depth * 0.9) + glow * 0.3), below!, mist)
    }
    return colour
  }
}

function sea(seed: number, aspect: number): Scene {
  const light = pick(seed, [
    { above: '#2f4d7e', below: '#ffb070', sun: '#fff0c8', deep: '#123048' },
    { above: '#4c93c8', below: '#dff0f4', sun: '#ffffff', deep: '#0f5c78' },
    { above: '#473a66', below: '#ff8a66', sun: '#ffe0a8', deep: '#1d1c38' },
  ])
  const [above, below, sun, deep] = colours(light)
  const at = aspect * (0.3 + 0.4 * hash(3, 1, seed))
  const horizon = 0.46
  const sky: Scene = (u, v) => {
    const cloud = smooth(0.45, 0.8, fbm(u * 1.1, v * 6, seed, 6))
    const lit = mix(above!, sun!, 0.35 + 0.5 * v)
    const glow =
      Math.exp(-Math.hypot(u - at, v - 0.38) * 4) + (Math.hypot(u - at, v - 0.38) < 0.035 ? 1 : 0)
    return mix(
      mix(mix(above!, below!, (v / horizon) ** 1.4), lit, cloud * 0.6),
      sun!,
      Math.min(1, glow),
    )
  }
  return (u, v) => {
    if (v < horizon) return sky(u, v)
    const near = (v - horizon) / (1 - horizon)
    const scale = 1 / (near + 0.04)
    const wave = fbm((u - at) * scale * 5, scale * 9, seed + 3, 4) - 0.5
    const mirrored = sky(u + wave * 0.05, horizon - (v - horizon) * 0.6)
    const water = shade(mix(mirrored, deep!, 0.35 + 0.5 * near), 1 + wave * 0.8)
    const glitter = Math.exp(-(((u - at) / (0.05 + 0.16 * near)) ** 2)) * smooth(0.02, 0.3, wave)
    const foam = smooth(0.86, 1, near + wave * 0.22) * 0.85
    return mix(mix(water, sun!, glitter), mix(sun!, [235, 240, 240], 0.7), foam)
  }
}

function clouds(seed: number): Scene {
  const light = pick(seed, [
    { above: '#28406f', below: '#ff9a5c', dark: '#5a4766', lit: '#ffd2a0', ground: '#120f1a' },
    { above: '#4c86c2', below: '#d6e8f2', dark: '#8798ac', lit: '#ffffff', ground: '#26402a' },
  ])
  const [above, below, dark, lit, ground] = colours(light)
  return (u, v) => {
    const bend = fbm(u * 2, v * 3, seed + 5, 4)
    const density = fbm(u * 1.7 + bend, v * 3.4 + bend * 0.8, seed, 7)
    const towards = fbm(u * 1.7 + bend, (v + 0.05) * 3.4 + bend * 0.8, seed, 7)
    const cloud = mix(dark!, lit!, clamp(0.5 + (density - towards) * 5 + v * 0.35, 1))
    const sky = mix(mix(above!, below!, v ** 1.3), cloud, smooth(0.42, 0.66, density))
    const hill = 0.87 - ridge(u * 0.9, seed) * 0.07
    return v < hill ? sky : shade(ground!, 0.7 + fbm(u * 26, v * 60, seed, 4) * 0.7)
  }
}

function forest(seed: number, aspect: number): Scene {
  const light = pick(seed, [
    { mist: '#dfe8c8', leaf: '#3f6a2c', bark: '#1c1710', floor: '#4b5a24' },
    { mist: '#f4dca8', leaf: '#a5641e', bark: '#24160e', floor: '#7a4a1c' },
  ])
  const [mist, leaf, bark, floor] = colours(light)
  const trunks = Array.from({ length: 18 }, (_, n) => ({
    at: hash(n, 1, seed) * (aspect + 0.2) - 0.1,
    depth: (n / 17) ** 1.5,
    lean: (hash(n, 2, seed) - 0.5) * 0.08,
  }))
  return (u, v) => {
    const glow = Math.exp(-Math.hypot(u - aspect * 0.55, v - 0.42) * 2.2)
    const ray = 0.12 * fbm((u - aspect * 0.55) / (v + 0.35), 3, seed, 3)
    let colour = shade(mix(leaf!, mist!, 0.35 + glow * 0.65), 0.88 + ray * 2)
    for (const { at, depth, lean } of trunks) {
      const ground = 0.62 + 0.36 * depth
      const width = 0.006 + 0.034 * depth
      const across = (u - at - lean * v - fbm(v * 3, at * 9, seed, 2) * 0.02) / width
      if (Math.abs(across) < 1 && v < ground) {
        const side = 0.75 + 0.5 * fbm(across * 2 + at * 50, v * 40, seed, 4) - across * 0.25
        colour = mix(shade(bark!, side * 1.6), mist!, (1 - depth) * (0.45 + glow * 0.4))
      }
      // Twigs of the same distance.
      const leaves = fbm(u * (9 + 7 * depth), v * (12 + 7 * depth), seed + Math.round(at * 99), 5)
      const crown = smooth(0.6, 0.7, leaves - Math.max(0, v - 0.2) * (0.55 + 0.5 * (1 - depth)))
      colour = mix(colour, mix(shade(leaf!, 0.5 + leaves), mist!, (1 - depth) * 0.6), crown * 0.5)
    }
    const ground = smooth(0.6, 0.72, v + (fbm(u * 3, 1, seed, 3) - 0.5) * 0.08)
    const moss = shade(floor!, 0.45 + fbm(u * 16, v * 40, seed, 5) * 1.1 + glow * 0.5)
    return mix(colour, mix(moss, mist!, Math.max(0, 0.8 - v) * 1.6), ground)
  }
}

function city(seed: number, aspect: number): Scene {
  const hues = ['#ffb45a', '#ff7a4a', '#ffe2a8', '#7ab8ff', '#ff5a6a', '#9affd0'].map(rgbOf)
  const lights = Array.from({ length: 90 }, (_, n) => ({
    x: hash(n, 1, seed) * aspect,
    y: 0.3 + 0.55 * hash(n, 2, seed) ** 1.2,
    radius: 0.012 + 0.055 * hash(n, 3, seed) ** 2,
    hue: hues[Math.floor(hash(n, 4, seed) ** 1.6 * hues.length)]!,
    power: 0.25 + 0.65 * hash(n, 5, seed),
  }))
  return (u, v) => {
    const street = smooth(0.62, 1, v)
    const tower = Math.floor(u * 7 + hash(1, 1, seed)) + 0.5
    const top = 0.12 + 0.3 * hash(tower * 2, 8, seed)
    const wall = smooth(top - 0.015, top + 0.03, v) * 0.7
    let colour = mix(mix([14, 18, 38], [58, 44, 70], v), [20, 20, 30], wall)
    colour = mix(colour, [70, 46, 40], street * 0.5)
    const ripple = fbm(u * 30, v * 9, seed, 3)
    for (const { x, y, radius, hue, power } of lights) {
      if (Math.abs(u - x) > radius * 2) continue
      const far = Math.hypot(u - x, v - y) / radius
      // A disc with a bright rim, as of a lens out of focus, and its shine on the wet street.
      const disc = smooth(1.06, 0.94, far) * (0.65 + 0.35 * far ** 3)
      const wet = Math.exp(-(((u - x) / (radius * 0.7)) ** 2)) * street * (ripple * 0.5)
      const add = (disc + wet * 0.7) * power
      if (add > 0.002) colour = colour.map((value, n) => value + hue[n]! * add) as Rgb
    }
    return colour
  }
}

function lake(seed: number): Scene {
  const land = mountains(seed - (seed % 3))
  const shore = 0.56
  return (u, v) => {
    const grass = 0.9 - 0.09 * fbm(u * 40, 1, seed, 2) - 0.05 * Math.sin(u * 2 + seed)
    if (v > grass) return shade([52, 66, 30], 0.35 + fbm(u * 90, v * 14, seed, 4) * 1.2)
    // The land stands on the shore, and upside down below it.
    if (v < shore) return land(u, (v / shore) * 0.86)
    const wave = (fbm(u * 9, v * 110, seed, 3) - 0.5) * (v - shore) * 0.4
    const mirrored = land(u + wave * 0.4, Math.max(0, ((2 * shore - v) / shore + wave) * 0.86))
    return shade(mix(mirrored, [40, 74, 96], 0.22), 0.86 + wave * 2)
  }
}

function pick<Choice>(seed: number, choices: readonly Choice[]): Choice {
  return choices[Math.floor(seed / SCENES.length) % choices.length]!
}

function colours(light: Record<string, string>): Rgb[] {
  return Object.values(light).map(rgbOf)
}

function rgbOf(text: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as Rgb
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value))
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = clamp(share, 1)
  return one.map((value, n) => value + (other[n]! - value) * part) as Rgb
}

function shade(colour: Rgb, by: number): Rgb {
  return colour.map((value) => value * by) as Rgb
}

function smooth(from: number, to: number, value: number): number {
  const part = clamp((value - from) / (to - from), 1)
  return part * part * (3 - 2 * part)
}

/** A mountain's outline, from 0 to 1, with sharp tops. */
function ridge(x: number, seed: number): number {
  let [sum, size] = [0, 0.55]
  for (let octave = 0; octave < 6; octave++, size /= 2.1) {
    sum += (1 - Math.abs(2 * noise(x * 2 ** octave * 1.3, octave * 17, seed) - 1)) * size
  }
  return sum
}

/** Noise of several sizes on each other, about 0.5. */
function fbm(x: number, y: number, seed: number, octaves: number): number {
  let [sum, size, all] = [0, 1, 0]
  for (let octave = 0; octave < octaves; octave++, size /= 2) {
    sum += noise(x * 2 ** octave, y * 2 ** octave, seed + octave) * size
    all += size
  }
  return sum / all
}

function noise(x: number, y: number, seed: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [across, down] = [smooth(0, 1, x - left), smooth(0, 1, y - top)]
  const above = hash(left, top, seed) * (1 - across) + hash(left + 1, top, seed) * across
  const below = hash(left, top + 1, seed) * (1 - across) + hash(left + 1, top + 1, seed) * across
  return above * (1 - down) + below * down
}

/** A number from 0 to 1 that is always the same for a place. */
function hash(x: number, y: number, seed: number): number {
  let value =
    Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263) ^ Math.imul(seed + 1, 144_269_504)
  value = Math.imul(value ^ (value >>> 13), 1_274_126_177)
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32
}
