import { randomNumbers } from '../file-rows.ts'
import { draw } from './drawing.ts'
import type { Numbers } from './hashes.ts'

const WORDS =
  `the of and to in for that is on with your our we you be this as are by have will from it not or
  at an all can has more if been may other which their time new about only any year first there when these
  contract invoice payment account insurance premium period delivery order customer number service meeting
  committee application document enclosed receipt notice agreement department electricity consumption
  kindly regarding therefore however according immediately additional available necessary information
  please contact send return sign before after during until within under over week month quarter annual
  amount total balance due reminder address change cancel confirm renew office school garden heating water
  roof repair lift stairs cellar parking bicycle neighbour landlord tenant council street library museum`
    .trim()
    .split(/\s+/)
const NAMES =
  `Anna Bernd Clara David Emma Felix Greta Hannes Ida Jonas Klara Lukas Maria Nils Olga Paul
  Rosa Simon Tina Ulrich Vera Walter Yvonne Zoe Adler Becker Conrad Dietrich Engel Fischer Graf
  Hoffmann Jansen Keller Lehmann Meyer Neumann Otto Peters Richter Schulz Thomas Ullmann Vogel`
    .trim()
    .split(/\s+/)

/** Returns a letter of A4 in one layout; another seed gives other words. */
export function letter(seed: number): Promise<Buffer> {
  const random = randomNumbers(Math.imul(seed, 0x9e3779b1) >>> 0)
  const at = (x: number, y: number, text: string, style = '') =>
    `<text x="${x}" y="${y}" ${style}>${text}</text>`
  const lines = [
    at(
      120,
      130,
      'Northern Housing Cooperative',
      'font-size="40" font-weight="bold" fill="#203870"',
    ),
    '<rect x="120" y="150" width="1000" height="4" fill="#203870"/>',
    at(120, 290, 'Northern Housing Cooperative, 12 Harbour Road, 20457 Hamburg', 'font-size="14"'),
    at(120, 330, name(random)),
    at(120, 362, `${name(random)} Street ${1 + random(180)}`),
    at(120, 394, `${10000 + random(89999)} ${capital(words(random, 8))}`),
    at(880, 480, `${1 + random(28)} March ${2010 + random(15)}`),
    at(120, 560, capital(words(random, 38 + random(12))), 'font-weight="bold"'),
    at(120, 630, `Dear ${name(random)},`),
  ]
  let y = 690
  for (const count of [5, 6, 4, 3]) {
    for (let line = 1; line <= count; line++) {
      const length = line < count ? 82 : 25 + random(50)
      lines.push(at(120, y, line === 1 ? capital(words(random, length)) : words(random, length)))
      y += 34
    }
    y += 22
  }
  lines.push(
    at(120, y + 20, 'Yours sincerely'),
    at(130, y + 90, name(random), 'font-size="44" font-style="italic" fill="#102060"'),
    at(120, y + 140, name(random)),
    '<rect x="120" y="1620" width="1000" height="2" fill="#808080"/>',
    at(
      120,
      1655,
      'Bank of the North · DE02 1203 0000 0000 2020 51 · VAT DE 136 725 464',
      'font-size="16"',
    ),
  )
  const body = `<rect width="100%" height="100%" fill="#fff"/>${lines.join('')}`
  return drawn(1240, 1754, `<g font-family="Liberation Serif, serif" font-size="25">${body}</g>`)
}

/** Returns a chat on the screen of a telephone in one layout; another seed gives other words. */
export function chat(seed: number): Promise<Buffer> {
  const random = randomNumbers(Math.imul(seed, 0x9e3779b1) >>> 0)
  const parts = [
    '<rect width="100%" height="100%" fill="#e8e0d8"/>',
    '<rect width="100%" height="210" fill="#105850"/>',
    '<circle cx="170" cy="140" r="48" fill="#c0c8d0"/>',
    `<text x="250" y="155" font-size="46" font-weight="bold" fill="#fff">${name(random)}</text>`,
    `<text x="50" y="55" font-size="34" fill="#fff">${10 + random(13)}:${10 + random(49)}</text>`,
  ]
  let y = 260
  for (const [index, count] of [1, 3, 2, 1, 4, 2, 3, 1, 2, 3].entries()) {
    const isOwn = index % 3 !== 0
    const height = 40 + count * 54
    const width = count > 1 ? 800 : 400 + random(300)
    const x = isOwn ? 1040 - width : 40
    const fill = isOwn ? '#d8f8c8' : '#ffffff'
    parts.push(
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="24" fill="${fill}"/>`,
    )
    for (let line = 0; line < count; line++) {
      const length = count > 1 && line < count - 1 ? 34 : 12 + random(width / 50)
      const text = line === 0 ? capital(words(random, length)) : words(random, length)
      parts.push(`<text x="${x + 28}" y="${y + 60 + line * 54}">${text}</text>`)
    }
    y += height + 24
  }
  parts.push('<rect x="30" y="2200" width="880" height="110" rx="55" fill="#ffffff"/>')
  parts.push('<circle cx="990" cy="2255" r="55" fill="#108870"/>')
  return drawn(
    1080,
    2340,
    `<g font-family="Noto Sans, sans-serif" font-size="36">${parts.join('')}</g>`,
  )
}

function name(random: Numbers): string {
  return `${NAMES[random(24)]} ${NAMES[24 + random(NAMES.length - 24)]}`
}

/** Returns words of about that many letters together. */
function words(random: Numbers, length: number): string {
  let line = WORDS[random(WORDS.length)]!
  while (line.length < length - 4) line += ` ${WORDS[random(WORDS.length)]!}`
  return line
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}

async function drawn(width: number, height: number, body: string): Promise<Buffer> {
  return (await draw(width, height, body)).jpeg({ quality: 85 }).toBuffer()
}
