import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Destination,
  hrefFrom,
  listingOf,
  openFileOf,
  screenOf,
} from '../../../src/gallery/base/address.ts'

const at = (path: string) => new URL(path, 'http://localhost')
const from = (path: string, destination: Destination) => hrefFrom(at(path), destination, 'desc')
const listing = (path: string) => listingOf(at(path), 'desc')
const ALL = { sort: 'content_datetime', order: 'desc' }

describe('an address', () => {
  it('names its screen, and with a file the one below', () => {
    assert.equal(screenOf(at('/')), 'photos')
    assert.equal(screenOf(at('/keep/import')), 'import')
    assert.equal(screenOf(at('/keep/audit?user=2')), 'audit')
    assert.equal(screenOf(at('/keep')), undefined)
    assert.equal(screenOf(at('/keep/constructor')), undefined)
    assert.equal(screenOf(at('/f/1')), 'photos')
    assert.equal(screenOf(at('/f/1?trash=true')), 'trash')
    assert.equal(screenOf(at('/albums/5')), 'pools')
    assert.equal(screenOf(at('/f/1?pool=5')), 'pools')
    for (const path of [
      '/constructor',
      '/f',
      '/tags/xyz',
      '/tags/',
      '/pools/5/6',
      '/keep/audit/1',
    ]) {
      assert.equal(screenOf(at(path)), undefined, path)
    }
    assert.equal(openFileOf(at('/f/1')), '1')
    assert.equal(openFileOf(at('/f/1/2')), null)
  })

  it('is of the trash by its path, and of a file by what it was opened above', () => {
    assert.deepEqual(listing('/trash?search=lake'), { ...ALL, search: 'lake', trash: true })
    assert.deepEqual(listing('/f/1?trash=true'), { ...ALL, trash: true })
    for (const path of ['/?trash=true', '/inbox?trash=true', '/f/1']) {
      assert.deepEqual(listing(path), ALL, path)
    }
  })
})

describe('an address of a pool', () => {
  it('is in the order of the pool, unless it names another', () => {
    assert.deepEqual(listing('/albums/5'), { pool: '5' })
    assert.deepEqual(listing('/albums/5?order=asc'), { pool: '5' })
    assert.deepEqual(listing('/albums/5?sort=created&search=lake'), {
      pool: '5',
      sort: 'created',
      order: 'desc',
      search: 'lake',
    })
    assert.deepEqual(listing('/f/1?pool=5'), { pool: '5' })
  })

  it('is of a pool by its path, and of a file by what it was opened above', () => {
    for (const path of ['/?pool=5', '/albums?pool=5', '/inbox?pool=5', '/albums/5/6', '/f/1']) {
      assert.deepEqual(listing(path), ALL, path)
    }
  })
})

describe('where a link leads', () => {
  it('keeps what it does not change', () => {
    assert.equal(from('/?search=lake&at=5', { path: '/f/5' }), '/f/5?search=lake&at=5')
    assert.equal(from('/f/5?search=lake&at=5', { at: null }), '/f/5?search=lake')
    assert.equal(from('/?search=lake&at=5', { listing: { search: '' }, at: null }), '/')
    assert.equal(from('/?search=lake&sort=mime', { path: '/inbox', listing: null }), '/inbox')
  })

  it('is in a pool only as long as one stays there', () => {
    assert.equal(from('/albums/5', { path: '/f/1', at: '1' }), '/f/1?pool=5&at=1')
    assert.equal(
      from('/albums/5?sort=content_datetime', { path: '/f/1' }),
      '/f/1?pool=5&sort=content_datetime',
    )
    assert.equal(from('/f/1?pool=5', { path: '/albums/5', at: '1' }), '/albums/5?at=1')
    assert.equal(from('/f/1?pool=5', { path: '/' }), '/')
    assert.equal(
      from('/albums/5?sort=created&order=asc', { listing: { sort: undefined, order: undefined } }),
      '/albums/5',
    )
  })

  it('is in the trash only as long as one stays there', () => {
    assert.equal(from('/trash', { path: '/f/5' }), '/f/5?trash=true')
    assert.equal(from('/f/5?trash=true', { path: '/f/6', at: '6' }), '/f/6?trash=true&at=6')
    assert.equal(from('/f/5?trash=true', { path: '/trash', at: '5' }), '/trash?at=5')
    assert.equal(
      from('/trash', { path: '/', listing: { filter: '{r=1}' } }),
      '/?filter=%7Br%3D1%7D',
    )
    assert.equal(from('/f/5?trash=true', { path: '/' }), '/')
  })
})
