import sharp from 'sharp'
import { FAR, NEAR } from '../../src/duplicates/rescan/finer-hashes.ts'
import { showTheSame } from '../../src/duplicates/rescan/show-the-same.ts'
import { type Looked, lookedAt } from '../support/duplicates/looked.ts'
import { chat, letter } from '../support/duplicates/pages.ts'
import { plainPictures } from '../support/duplicates/plain-pictures.ts'
import { KINDS, variant } from '../support/duplicates/variants.ts'
import { bitsBetween, corpusFiles, distance, withoutCorpus } from '../support/media/media.ts'
import { printBudgets } from './budgets.ts'
import { printTable } from './measure.ts'

/** DUPLICATE_HASH_THRESHOLD unless it is set. */
const THRESHOLD = 8
const PAGES = 20
/** Pixels; what photographs are shrunk to before they are changed, and halves of which are whole ones. */
const LONGER_SIDE = 1280
const WIDE = 600

/** Two pictures within the threshold of the first hash. */
interface Pair {
  kind: string
  isPlain: boolean
  distance: number
  /** What the second look says. */
  isSame: boolean
}

/**
 * Prints what the finer hash and the second look make of pairs within the threshold of the first hash:
 * what is lost of photographs and their variants, and what is found among pictures that only look alike.
 * It takes five minutes.
 */
export async function bench(): Promise<void> {
  if (withoutCorpus) {
    process.stdout.write(`\nfiner-hash: ${withoutCorpus}, left out\n`)
    return
  }
  const plain = pairsAmong(await looks([...(await plainPictures()).values()]))
  const seeds = Array.from({ length: PAGES }, (_, n) => n + 1)
  const pages: Pair[] = []
  for (const page of [letter, chat]) {
    pages.push(...pairsAmong(await looks(await Promise.all(seeds.map((seed) => page(seed))))))
  }
  const { pairs, photographs, milliseconds } = await pairsOfPhotographs()

  const lost = (isPair: (pair: Pair) => boolean) => share(pairs, (pair) => !isPair(pair))
  const lostOfWorst = (isPair: (pair: Pair) => boolean) =>
    Math.max(...KINDS.map((kind) => share(ofKind(pairs, kind), (pair) => !isPair(pair))))
  const row = (bound: string, isPair: (pair: Pair) => boolean) => ({
    bound,
    'lost %': lost(isPair),
    'of the worst kind': lostOfWorst(isPair),
    plain: String(plain.filter(isPair).length),
    'letters, chats': String(pages.filter(isPair).length),
  })
  const rows = [row('first hash alone', () => true)]
  for (let bound = 24; bound <= 80; bound += 4) {
    rows.push(row(String(bound), (pair) => !pair.isPlain && pair.distance <= bound))
  }
  rows.push(row(`${NEAR}, look to ${FAR}`, isAlike))
  printTable(
    `finer hash: ${pairs.length} true pairs of ${photographs} photographs, and false ones`,
    rows,
  )
  printTable(
    'kinds of change',
    KINDS.map((kind) => {
      const of = ofKind(pairs, kind)
      const byHash = share(of, ({ isPlain, distance }) => !isPlain && distance <= NEAR)
      return {
        kind,
        pairs: String(of.length),
        [`% within ${NEAR}`]: byHash,
        'kept %': share(of, isAlike),
      }
    }),
  )
  printBudgets('finer hash and second look', [
    { what: 'pairs among plain pictures', value: plain.filter(isAlike).length, held: 0 },
    { what: 'pairs among letters and chats', value: pages.filter(isAlike).length, held: 2 },
    { what: 'lost of true pairs, %', value: lost(isAlike), held: 1 },
    { what: 'lost of the worst kind, %', value: lostOfWorst(isAlike), held: 10 },
    { what: 'a second look, ms', value: milliseconds, held: 5 },
  ])
}

function isAlike({ isPlain, distance, isSame }: Pair): boolean {
  return !isPlain && (distance <= NEAR || (distance <= FAR && isSame))
}

function ofKind(pairs: Pair[], kind: string): Pair[] {
  return pairs.filter((pair) => pair.kind === kind)
}

/** In percent. */
function share(pairs: Pair[], isCounted: (pair: Pair) => boolean): number {
  return pairs.length === 0 ? 0 : (100 * pairs.filter(isCounted).length) / pairs.length
}

async function looks(pictures: Buffer[]): Promise<Looked[]> {
  const looked: Looked[] = []
  for (const picture of pictures) looked.push(await lookedAt(picture))
  return looked
}

function pairsAmong(looked: Looked[]): Pair[] {
  return looked.flatMap((a, index) => looked.slice(0, index).flatMap((b) => pairOf(a, b, '')))
}

/** Returns the pair, or nothing when the first hash tells the two apart. */
function pairOf(a: Looked, b: Looked, kind: string): Pair[] {
  if (distance(a.phash, b.phash) > THRESHOLD) return []
  return [
    {
      kind,
      isPlain: a.finer.isPlain || b.finer.isPlain,
      distance: bitsBetween(a.finer.hash, b.finer.hash),
      isSame: showTheSame(a.grey, b.grey),
    },
  ]
}

/** Pairs of each photograph, or quarter of one, with its variants; of plain ones there are none. */
async function pairsOfPhotographs() {
  const pairs: Pair[] = []
  const known = new Set<string>()
  let plain = 0
  let spent = 0
  for (const photograph of await photographsOfCorpus()) {
    const looked = await lookedAt(photograph)
    if (known.has(looked.phash)) continue
    known.add(looked.phash)
    if (looked.finer.isPlain) {
      plain++
      continue
    }
    for (const kind of KINDS) {
      const changed = await lookedAt(await variant(photograph, kind, known.size))
      const started = performance.now()
      pairs.push(...pairOf(looked, changed, kind))
      spent += performance.now() - started
    }
  }
  const photographs = known.size - plain
  process.stdout.write(`\nfiner-hash: ${plain} plain photographs are left out\n`)
  return { pairs, photographs, milliseconds: spent / pairs.length }
}

async function photographsOfCorpus(): Promise<Buffer[]> {
  const photographs: Buffer[] = []
  for (const path of corpusFiles()) {
    const whole = await sharp(path, { failOn: 'none' })
      .autoOrient()
      .resize(LONGER_SIDE, LONGER_SIDE, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer()
      // Films, HEIC, and what is too broken: other programs read these.
      .catch(() => null)
    if (whole) photographs.push(whole, ...(await quartersOf(whole)))
  }
  return photographs
}

async function quartersOf(whole: Buffer): Promise<Buffer[]> {
  const picture = await sharp(whole).metadata()
  if (picture.width < WIDE) return []
  const width = picture.width >> 1
  const height = picture.height >> 1
  const corners = [0, 1, 2, 3].map((n) => ({ left: (n % 2) * width, top: (n >> 1) * height }))
  return Promise.all(
    corners.map((corner) =>
      sharp(whole)
        .extract({ ...corner, width, height })
        .png({ compressionLevel: 1 })
        .toBuffer(),
    ),
  )
}
