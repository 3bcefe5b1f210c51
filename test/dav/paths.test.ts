import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hrefOf, isBelow, parentOf, parseDestination, parsePath } from '../../src/dav/paths.ts'

describe('a path of the drop box', () => {
  it('is decoded once, and written as it was sent', () => {
    for (const [path, folder, name] of [
      ['/dav', '', ''],
      ['/dav/', '', ''],
      ['/dav/a.jpg', '', 'a.jpg'],
      ['/dav//DCIM//Camera/', 'DCIM', 'Camera'],
      ['/dav/a%23%25%3F.jpg', '', 'a#%?.jpg'],
      ['/dav/100%2525.jpg', '', '100%25.jpg'],
      ['/dav/u%CC%88/%F0%9F%98%80.jpg', 'ü'.normalize('NFD'), '😀.jpg'],
    ] as const) {
      assert.deepEqual(parsePath(path), { folder, name }, path)
    }
    const path = { folder: 'a b', name: "#%&ü😀'.jpg" }
    assert.equal(hrefOf(path, false), "/dav/a%20b/%23%25%26%C3%BC%F0%9F%98%80'.jpg")
    assert.deepEqual(parsePath(hrefOf(path, true)), path)
    assert.equal(hrefOf({ folder: '', name: '' }, true), '/dav/')
  })

  it('is refused when it leads elsewhere or names what no file can be called', () => {
    for (const path of [
      '/dav/%2F',
      '/dav/a%2Fb',
      '/dav/%2E%2E/x',
      '/dav/../x',
      '/dav/.',
      '/dav/%00',
      '/dav/a%0Ab',
      '/dav/%FF',
      '/dav/%C3',
      '/dav/%',
      `/dav/${'x'.repeat(1025)}`,
      `/dav${`/${'x'.repeat(1000)}`.repeat(10)}`,
    ]) {
      assert.throws(() => parsePath(path), { code: 'validation_error' }, path)
    }
    for (const path of ['/davx', '/', '/api/v1/files', '/DAV/x']) {
      assert.throws(() => parsePath(path), { code: 'forbidden' }, path)
    }
  })

  it('comes from a destination by the path alone', () => {
    for (const header of [
      '/dav/a/b%20c',
      'http://127.0.0.1:3000/dav/a/b%20c',
      'HTTPS://other.example/dav/a/b%20c',
    ]) {
      assert.deepEqual(parseDestination(header), { folder: 'a', name: 'b c' }, header)
    }
    for (const header of [undefined, '', 'dav/a', '/dav/a?b', '/dav/a#b', '/dav/a b', 'x:/dav/a']) {
      assert.throws(() => parseDestination(header), { code: 'validation_error' }, header)
    }
    for (const header of ['/dav/../etc/x', 'http://h/dav/a/%2e%2e/b']) {
      assert.throws(() => parseDestination(header), { code: 'validation_error' }, header)
    }
    assert.throws(() => parseDestination('https://h/other/a'), { code: 'forbidden' })
  })

  it('knows what is above and below it', () => {
    assert.deepEqual(parentOf({ folder: 'a/b', name: 'c' }), { folder: 'a', name: 'b' })
    assert.deepEqual(parentOf({ folder: 'a', name: 'c' }), { folder: '', name: 'a' })
    assert.deepEqual(parentOf({ folder: '', name: 'c' }), { folder: '', name: '' })
    const folder = { folder: '', name: 'a' }
    assert.ok(isBelow({ folder: 'a', name: 'x' }, folder))
    assert.ok(isBelow({ folder: 'a/b', name: 'x' }, folder))
    assert.ok(!isBelow({ folder: 'ab', name: 'x' }, folder))
    assert.ok(!isBelow(folder, folder))
  })
})
