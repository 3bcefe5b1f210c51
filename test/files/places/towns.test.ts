import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { townsSource } from '../../../src/base/paths.ts'
import { madeTowns, nearestTown, regionName } from '../../../src/files/places/towns.ts'
import { randomNumbers } from '../../support/file-rows.ts'
import { before, describe, it } from '../../support/test.ts'

interface Listed {
  name: string
  lat: string
  lng: string
  country: string
  admin1: string
}

const KNOWN = new URL('./known-towns.tsv', import.meta.url)
const known = readFileSync(KNOWN, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [latitude, longitude, country, name] = line.split('\t') as [
      string,
      string,
      string,
      string,
    ]
    return { latitude: Number(latitude), longitude: Number(longitude), country, name }
  })

/** Of a position on a sphere with the radius 1; two are the nearer the larger their product is. */
function vectorOf(latitude: number, longitude: number): [number, number, number] {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

let listed: Listed[]
let vectors: Float64Array
before(() => {
  listed = JSON.parse(readFileSync(townsSource().cities, 'utf8'))
  vectors = new Float64Array(listed.length * 3)
  for (const [n, { lat, lng }] of listed.entries()) {
    vectors.set(vectorOf(Number(lat), Number(lng)), n * 3)
  }
})

/** Returns the town that is nearest by looking at all of them, and how far it is, in kilometres. */
function nearestOfAll(latitude: number, longitude: number): { town: string; far: number } {
  const [x, y, z] = vectorOf(latitude, longitude)
  let nearest = 0
  let most = -1
  for (let n = 0; n < listed.length; n++) {
    const product = x * vectors[n * 3]! + y * vectors[n * 3 + 1]! + z * vectors[n * 3 + 2]!
    if (product > most) {
      most = product
      nearest = n
    }
  }
  const { name, country, admin1 } = listed[nearest]!
  return { town: `${country}.${admin1}.${name}`, far: Math.acos(Math.min(1, most)) * 6371.0088 }
}

function assertNearest(latitude: number, longitude: number): void {
  const { town, far } = nearestOfAll(latitude, longitude)
  const found = nearestTown(latitude, longitude)
  assert.equal(found, far <= 50 ? town : null, `${latitude}, ${longitude}: ${far} km`)
}

describe('the nearest town', () => {
  it('is that of all towns of the table for six hundred known places on all continents', () => {
    assert.ok(known.length >= 600)
    for (const { latitude, longitude } of known) assertNearest(latitude, longitude)
  })

  it('is in the country of 99 of 100 of these', () => {
    const placed = known.flatMap(({ latitude, longitude, country }) => {
      const town = nearestTown(latitude, longitude)
      return town === null ? [] : [town.startsWith(`${country}.`)]
    })
    assert.ok(placed.length >= 600)
    assert.ok(placed.filter(Boolean).length / placed.length >= 0.99)
  })

  it('is none where there are no towns', () => {
    const stations = known.filter(({ country }) => country === 'AQ')
    assert.equal(stations.length, 10)
    for (const { latitude, longitude } of stations) {
      assert.equal(nearestTown(latitude, longitude), null)
    }
  })

  it('is found across the date line, at the poles, and anywhere else', () => {
    const random = randomNumbers(1)
    // It lies at 179.1° west.
    assert.equal(nearestTown(66.3, 179.9), 'RU.15.Egvekinot')
    const edges = [-180, -179.999, 179.999, 180]
    // Fiji's islands lie on both sides of the date line, and Russia's Chukotka does.
    for (const longitude of edges) {
      for (let n = 0; n < 20; n++) {
        assertNearest(
          -15 - random(500) / 100,
          longitude - Math.sign(longitude) * (random(50) / 100),
        )
        assertNearest(62 + random(900) / 100, longitude)
      }
    }
    for (const latitude of [-90, -89.9, 89.9, 90]) assertNearest(latitude, random(360) - 180)
    // Towns are dense here, and far from the equator there.
    for (let n = 0; n < 100; n++) assertNearest(45 + random(1000) / 100, random(2000) / 100)
    for (let n = 0; n < 50; n++) assertNearest(68 + random(1100) / 100, 10 + random(2000) / 100)
  })

  it('has a region with a name, or one without', () => {
    assert.equal(regionName('FR.93'), "Provence-Alpes-Côte d'Azur")
    assert.equal(regionName('VA.'), null)
  })
})

it('the table of towns is made for whoever may read the packages, and again where it can not be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tagstead-towns-'))
  const [made, inTheWay] = ['.cache/tagstead/towns', 'in-the-way'].map((name) => join(folder, name))
  // As a server makes its files.
  const mask = process.umask(0o077)
  try {
    const bytes = madeTowns(made!)
    const modes = ['.cache', '.cache/tagstead', '.cache/tagstead/towns'].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    )
    assert.deepEqual(modes, [0o755, 0o755, 0o644])
    assert.ok(madeTowns(made!).equals(bytes))
    mkdirSync(inTheWay!)
    assert.ok(madeTowns(inTheWay!).equals(bytes))
  } finally {
    process.umask(mask)
    rmSync(folder, { recursive: true })
  }
})
