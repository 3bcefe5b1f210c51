import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { inMemory, withinBounds } from '../../../src/media/bounded-file.ts'
import { boundedPicture } from '../../../src/media/child/bounded-picture.ts'
import { firstGifFrame } from '../../../src/media/child/first-frame.ts'
import { sniff } from '../../../src/media/sniff.ts'
import { madeFilm } from '../../support/media/film.ts'
import { temporaryFolder, withoutEncoder } from '../../support/media/media.ts'
import { after, before, describe, it } from '../../support/test.ts'
import { writeGifFrames, writeWebpFrames } from '../../torture/bombs/animations.ts'
import { writeInflatingTexts, writeProfile, writeTexts } from '../../torture/bombs/pngs.ts'
import { writeChain, writeRing, writeStrips } from '../../torture/bombs/tiffs.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

const save = async (name: string, bytes: Uint8Array) => {
  const path = join(folder.path, name)
  await writeFile(path, bytes)
  return path
}

/** Frames of noise, of which no two are alike, with holes. */
const frames = (count: number) => {
  const [width, height] = [24, 16]
  const data = Buffer.from(
    Array.from({ length: width * height * 4 * count }, (_, n) =>
      n % 4 === 3 ? (n % 7 === 0 ? 0 : 255) : (n * n) % 251,
    ),
  )
  const raw = { width, height: height * count, channels: 4 as const, pageHeight: height }
  return sharp(data, { raw }).withMetadata({ orientation: 6 })
}
const shown = (input: string | Buffer) =>
  sharp(input).autoOrient().flatten({ background: '#ffffff' }).resize(8).jpeg().toBuffer()

describe('a GIF', () => {
  it('of one long comment is read for 8 MiB, and left as it is', async () => {
    const head = Buffer.from('GIF89a\x01\0\x01\0\0\0\0!\xfe', 'latin1')
    const file = inMemory(Buffer.concat([head, Buffer.alloc(256 * 70_000, 255)]))
    assert.equal(await withinBounds(file, firstGifFrame, 9 * 2 ** 20), null)
  })
})

describe('an animation', () => {
  it('of many frames is shown by its first one alone, as it is shown by all', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const path = await save(`many.${format}`, await frames(150).toFormat(format).toBuffer())
      const whole = await sharp(path).metadata()
      assert.equal(whole.pages, 150)
      const bounded = await boundedPicture(path)
      assert.ok(Buffer.isBuffer(bounded))
      const one = await sharp(bounded).metadata()
      assert.equal(one.pages ?? 1, 1)
      for (const fact of ['width', 'height', 'space', 'orientation', 'exif', 'icc'] as const) {
        assert.deepEqual(one[fact], whole[fact], fact)
      }
      assert.deepEqual(await shown(bounded), await shown(path))
    }
  })

  it('of few frames is read as it is', async () => {
    for (const format of ['gif', 'webp'] as const) {
      for (const count of [1, 20]) {
        const path = await save(`few.${format}`, await frames(count).toFormat(format).toBuffer())
        assert.equal(await boundedPicture(path), path)
      }
    }
  })

  it('of a hundred thousand frames is bounded soon, and so is one that is cut off', async () => {
    const webp = join(folder.path, 'bomb.webp')
    await writeWebpFrames(webp, 100_000, 64)
    const gif = join(folder.path, 'bomb.gif')
    await writeGifFrames(gif, 1_000_000, 1000)
    for (const path of [webp, gif]) {
      const bounded = await boundedPicture(path)
      assert.ok(bounded.length < 300)
      const { width, height } = await sharp(bounded).metadata()
      assert.equal(width, height)
      const half = await save('half', (await readFile(path)).subarray(0, 1_000_003))
      assert.deepEqual(await boundedPicture(half), bounded)
    }
  })
})

describe('a sequence of AVIF', () => {
  it('is shown by the picture that it has beside its frames', async () => {
    const bytes = await frames(1).avif({ lossless: true }).toBuffer()
    const picture = await save('picture.avif', bytes)
    assert.equal(await boundedPicture(picture), picture)
    const sequence = Buffer.from(bytes)
    sequence.write('avis', sequence.indexOf('avif'), 'latin1')
    const path = await save('sequence.avif', sequence)
    await assert.rejects(sharp(path).metadata())
    assert.deepEqual(await shown(await boundedPicture(path)), await shown(picture))
  })

  it('is shown as ffmpeg writes it', { skip: withoutEncoder('libaom-av1') }, async () => {
    const codec = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p', '-f', 'avif']
    const path = await madeFilm('film.avif', codec, 'color=c=#c04020:s=64x48:r=2:d=2')
    assert.equal((await sniff(path))?.mime_type, 'image/avif')
    const { width, height } = await sharp(await boundedPicture(path)).metadata()
    assert.deepEqual([width, height], [64, 48])
  })
})

describe('a PNG', () => {
  it('is read as it is with a profile, texts and EXIF of cameras and programs', async () => {
    const png = frames(1).withIccProfile('p3').withXmp('<x>a picture</x>').png()
    const path = await save('whole.png', await png.toBuffer())
    const { icc, exif, xmp } = await sharp(path).metadata()
    assert.ok(icc && exif && xmp)
    assert.equal(await boundedPicture(path), path)
    const texts = join(folder.path, 'texts.png')
    await writeTexts(texts, 100)
    assert.equal(await boundedPicture(texts), texts)
    await writeInflatingTexts(texts, 2, 500_000)
    assert.equal(await boundedPicture(texts), texts)
  })

  it('loses a profile and texts that inflate to more than a MiB', async () => {
    const path = join(folder.path, 'large.png')
    const without = (await pixels(path, () => writeTexts(path, 0))).shown
    for (const [name, write] of [
      ['iCCP', () => writeProfile(path, 2 ** 20 + 1)],
      ['zTXt', () => writeInflatingTexts(path, 20, 2 ** 20 + 1)],
      ['zTXt', () => writeInflatingTexts(path, 1, 100_000_000)],
    ] as const) {
      const { bounded, shown } = await pixels(path, write)
      assert.ok((await readFile(path)).includes(name))
      assert.ok(Buffer.isBuffer(bounded) && !bounded.includes(name), name)
      assert.deepEqual(shown, without)
    }
    // Of those that are too large together, the first ones are kept.
    const { bounded } = await pixels(path, () => writeInflatingTexts(path, 3, 400_000))
    assert.equal(bounded.toString('latin1').split('zTXt').length - 1, 2)
  })

  it('is refused with more chunks than anybody writes', async () => {
    const path = join(folder.path, 'chunks.png')
    await writeTexts(path, 20_000)
    await assert.rejects(boundedPicture(path), /too many chunks/)
  })

  const pixels = async (path: string, write: () => Promise<void>) => {
    await write()
    const bounded = await boundedPicture(path)
    return { bounded, shown: await sharp(bounded).raw().toBuffer() }
  }
})

describe('a TIFF', () => {
  it('of up to 64 directories is read as it is, and so is one whose directories are a ring', async () => {
    const path = join(folder.path, 'pages.tif')
    for (const write of [() => writeChain(path, 64), () => writeRing(path, 3)]) {
      await write()
      assert.equal(await boundedPicture(path), path)
    }
    for (const options of [{ compression: 'lzw' }, { bigtiff: true }] as const) {
      await frames(1).tiff(options).toFile(path)
      assert.equal(await boundedPicture(path), path)
    }
  })

  it('of more directories is shown by the first one', async () => {
    const path = join(folder.path, 'chain.tif')
    await writeChain(path, 10_000)
    const bounded = await boundedPicture(path)
    assert.equal((await sharp(bounded).metadata()).pages, 1)
    assert.deepEqual(await shown(bounded), await shown(path))
  })

  it('that claims more than it has is refused', async () => {
    const path = join(folder.path, 'strips.tif')
    await writeStrips(path, 30_000_000)
    await assert.rejects(boundedPicture(path), /claims 30000000 values/)
  })
})
