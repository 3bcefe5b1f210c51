import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { visibleClusters } from '../../src/duplicates/clusters.ts'
import { idPage, writeClusterPage } from '../../src/duplicates/list.ts'
import { rescanAll } from '../support/duplicates/clusters.ts'
import { addHashedFiles } from '../support/duplicates/scans.ts'
import { openLibrary } from '../support/harness.ts'

const MIB = 1024 * 1024

describe('a page of clusters of large files', () => {
  it('ends before it passes 8 MiB, and the next begins behind it', async () => {
    const library = await openLibrary({ DUPLICATE_HASH_THRESHOLD: '0' })
    try {
      const { db } = library.deps
      const root = await library.join('root', { is_admin: true })
      // Clusters of one, two, four and sixteen MiB, and a small one.
      const sizes = [16, 32, 64, 256, 2]
      const hashes = sizes.flatMap((files, index) =>
        Array<bigint>(files).fill(BigInt(index) << 20n),
      )
      const ids = addHashedFiles(db, hashes, root.id)
      db.run('UPDATE file_details SET metadata = ?', JSON.stringify({ a: 'b'.repeat(64 * 1024) }))
      await rescanAll(library)
      const pages: number[][] = []
      const shown: string[] = []
      for (let offset = 0; offset < sizes.length; offset += pages.at(-1)!.length) {
        const path = `/files/duplicates?offset=${offset}`
        const { text, body } = await library.call('GET', path, { token: root.token })
        assert.deepEqual([body.total, body.offset, body.limit], [5, offset, 20])
        assert.ok(Buffer.byteLength(text) < 8 * MIB || body.items.length === 1)
        pages.push(body.items.map((cluster: { files: unknown[] }) => cluster.files.length))
        for (const { files } of body.items) shown.push(...files.map(({ id }: { id: string }) => id))
      }
      assert.deepEqual(pages, [[16, 32, 64], [256], [2]])
      assert.deepEqual(shown, ids)

      let turns = 0
      let isOver = false
      const tick = () => {
        turns++
        if (!isOver) setImmediate(tick)
      }
      setImmediate(tick)
      const viewer = { id: root.id, name: 'root', is_admin: true, can_create: true }
      const clusters = await visibleClusters(db, viewer)
      let longest = 0
      for await (const piece of writeClusterPage(db, viewer, { clusters, offset: 3, limit: 1 })) {
        longest = Math.max(longest, piece.length)
      }
      isOver = true
      // Sixteen MiB, of which others wait for one at a time.
      assert.ok(turns >= 16, `${turns} turns`)
      assert.ok(longest < 2 * MIB)
    } finally {
      await library.close()
    }
  })

  it('is made in pieces whatever it has: many pairs are no single text', async () => {
    const library = await openLibrary()
    try {
      const { db } = library.deps
      const root = await library.join('root', { is_admin: true })
      const files = addHashedFiles(db, Array<bigint>(600).fill(0n), root.id).map((_, n) => n + 1)
      const pairs = files.flatMap((a) =>
        files.slice(a).map((b) => ({ a, b, distance: (a + b) % 9 })),
      )
      const clusters = [{ files, pairs }]
      const viewer = { id: root.id, name: 'root', is_admin: true, can_create: true }
      const pieces: string[] = []
      for await (const piece of writeClusterPage(db, viewer, { clusters, offset: 0, limit: 1 })) {
        pieces.push(piece)
      }
      const lengths = pieces.map((piece) => piece.length)
      assert.ok(Math.max(...lengths) < 1.5 * MIB, `${Math.max(...lengths)} characters`)
      assert.ok(lengths.length > 10, `${lengths.length} pieces`)
      const [cluster] = JSON.parse(pieces.join('')).items
      assert.deepEqual([cluster.files.length, cluster.distances.length], [600, pairs.length])
      const { id: a } = cluster.files[0]
      const { id: b } = cluster.files[1]
      assert.deepEqual(cluster.distances[0], { a, b, distance: 3 })

      const { items, ...rest } = idPage(db, viewer, { clusters, offset: 0, limit: 20 })
      assert.deepEqual(rest, { total: 1, offset: 0, limit: 20 })
      const told = new Set(items[0]!.ids)
      // The first one's pairs come first; one more would bring two files.
      assert.equal(told.size, 49)
      assert.equal(items[0]!.file_count, 600)
      const isTold = ({ a, b }: { a: string; b: string }) => told.has(a) && told.has(b)
      assert.deepEqual(items[0]!.distances, cluster.distances.filter(isTold))
    } finally {
      await library.close()
    }
  })
})
