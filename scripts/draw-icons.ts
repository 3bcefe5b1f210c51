import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

// Draws the icons under which phones and computers keep the gallery, as `src/web/icons/` has them.
const FOLDER = join(import.meta.dirname, '../src/web/icons')
const GREEN = '#17634f'
/** The house of the page's mark, in a square of 24. */
const HOUSE = '<path d="M3 11 12 3l9 8v10H3z"/><path d="M8 21v-6l4-3 4 3v6"/>'

/** `room` is the part of the side that the house takes, `corner` the radius as a part of the side. */
const ICONS = [
  { name: 'icon-192', side: 192, room: 0.58, corner: 0.22 },
  { name: 'icon-512', side: 512, room: 0.58, corner: 0.22 },
  // Phones cut these to their own shape; what is within 40 % of the middle always stays.
  { name: 'maskable-512', side: 512, room: 0.46, corner: 0 },
  { name: 'touch-180', side: 180, room: 0.54, corner: 0 },
]

for (const { name, side, room, corner } of ICONS) {
  const scale = (side * room) / 24
  const edge = (side * (1 - room)) / 2
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">` +
    `<rect width="${side}" height="${side}" rx="${side * corner}" fill="${GREEN}"/>` +
    `<g transform="translate(${edge} ${edge}) scale(${scale})" fill="none" stroke="#fff" ` +
    `stroke-width="2" stroke-linejoin="round">${HOUSE}</g></svg>`
  const image = sharp(Buffer.from(svg))
  // A touch icon has no transparent parts, which would be shown black.
  if (corner === 0) image.flatten({ background: GREEN })
  await writeFile(join(FOLDER, `${name}.png`), await image.png({ compressionLevel: 9 }).toBuffer())
}
