import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { geohashOf } from '../../../src/files/places/geohash.ts'
import { boxOf, coverOf, namesOf, WORLD, widthOf } from '../../../src/gallery/map/cells.ts'
import { pointOf, SIDE, sightOf, viewOf } from '../../../src/gallery/map/view.ts'
import { fc } from '../../support/property.ts'

/** Degrees to a centimetre: smaller numbers vanish when others are added to them. */
const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7
const latitudes = fc.double({ min: -90, max: 89.999, noNaN: true }).map(round)
const longitudes = fc.double({ min: -180, max: 179.999, noNaN: true }).map(round)
const positions = fc.record({ latitude: latitudes, longitude: longitudes })
const cellOf = ({ latitude, longitude }: { latitude: number; longitude: number }, length: number) =>
  geohashOf(latitude, longitude, length)

describe('the cells of the map', () => {
  it('are those of geohashes', () => {
    // https://en.wikipedia.org/wiki/Geohash
    const box = boxOf('ezs42')
    assert.deepEqual(
      [box.south, box.north, box.west, box.east].map((degrees) => degrees.toFixed(3)),
      ['42.583', '42.627', '-5.625', '-5.581'],
    )
    assert.deepEqual(boxOf(''), WORLD)
    fc.assert(
      fc.property(positions, fc.integer({ min: 1, max: 8 }), (position, length) => {
        const { west, south, east, north } = boxOf(cellOf(position, length))
        assert.ok(west <= position.longitude && position.longitude < east)
        assert.ok(south <= position.latitude && position.latitude < north)
        assert.equal(east - west, widthOf(length))
      }),
    )
  })

  it('cover an area with few', () => {
    fc.assert(
      fc.property(
        positions,
        positions,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, part) => {
          const area = {
            west: Math.min(a.longitude, b.longitude),
            south: Math.min(a.latitude, b.latitude),
            east: Math.max(a.longitude, b.longitude),
            north: Math.max(a.latitude, b.latitude),
          }
          const cover = coverOf(area, 32)
          assert.ok(cover.length <= 32)
          const inside = {
            longitude: round(area.west + (area.east - area.west) * part),
            latitude: round(area.south + (area.north - area.south) * part),
          }
          const isWithin =
            area.west < inside.longitude &&
            inside.longitude < area.east &&
            area.south < inside.latitude &&
            inside.latitude < area.north
          const isCovered = cover.some((cell) => cellOf(inside, 8).startsWith(cell))
          assert.ok(cover.length === 0 || isCovered || !isWithin)
        },
      ),
    )
    assert.deepEqual(coverOf(WORLD, 32), [])
  })

  it('in sight have few names, which hold nothing else unless there would be too many', () => {
    const of = (text: string) => text.split(' ')
    const named = (cells: string, seen: string, known: string[] = [], most = 24) =>
      namesOf(of(cells), (cell) => of(seen).includes(cell), known, most)
    assert.deepEqual(named('u2e u2s ezs', 'u2e u2s ezs'), [''])
    assert.deepEqual(named('u2e u2s ezs', 'u2e u2s'), ['u'])
    assert.deepEqual(named('u2e u2s ezs', 'u2e u2s', ['u2', 'e']), ['u2'])
    assert.deepEqual(named('u2e u2s ezs', 'u2e ezs'), ['e', 'u2e'])
    assert.deepEqual(named('u2e u2s ezs', 'u2e ezs', [], 1).length, 2)
    assert.deepEqual(named('u2e u2s u3e u3s', 'u2e u3e', [], 1), ['u'])
    assert.deepEqual(named('u2e', ''), [])
  })
})

describe('the view of the map', () => {
  it('is that of Web Mercator', () => {
    // https://epsg.io/3857: Berlin, in metres from the equator and the meridian of Greenwich.
    const { x, y } = pointOf(13.4, 52.52)
    const metres = (pixels: number) => ((pixels - SIDE / 2) / SIDE) * 2 * Math.PI * 6378137
    assert.ok(Math.abs(metres(x) - 1_491_681) < 2)
    assert.ok(Math.abs(-metres(y) - 6_894_699) < 2)
  })

  it('shows an area, and knows what is in sight', () => {
    const stage = { width: 1200, height: 800 }
    fc.assert(
      fc.property(positions, fc.integer({ min: 2, max: 7 }), (position, length) => {
        const box = boxOf(cellOf({ ...position, latitude: position.latitude * 0.9 }, length))
        const sight = sightOf(viewOf(box, stage), stage)
        const slack = 1e-6
        assert.ok(sight.west <= box.west + slack && sight.east >= box.east - slack)
        assert.ok(sight.south <= box.south + slack && sight.north >= box.north - slack)
      }),
    )
  })
})
