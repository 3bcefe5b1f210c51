import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '../../support/backups.ts'
import { createImporter } from '../kill/importer.ts'
import { callAs, callWith } from '../worlds/api.ts'
import { createClient } from '../worlds/client.ts'
import { checkSound, withDatabase } from '../worlds/sound.ts'
import { ask, atOnce, type Scene, statuses } from './scene.ts'

/** What many ask for at once; each returns what was found, and throws when it isn't as it has to be. */
export const RACES: Record<string, (scene: Scene) => Promise<string>> = {
  async 'one refresh token'({ server, ways }) {
    const call = callWith(server, null)
    const login = { name: 'admin', password: server.adminPassword }
    const { body } = await ask(call, 'POST', '/auth/login', login)
    const { refresh_token } = body
    const answers = await atOnce(ways, () => ask(call, 'POST', '/auth/refresh', { refresh_token }))
    assert.deepEqual(statuses(answers), { 200: ways })
    const live = new Set(answers.map((answer) => answer.body.refresh_token))
    assert.equal(live.size, 1)
    const next = { refresh_token: [...live][0] }
    assert.equal((await ask(call, 'POST', '/auth/refresh', next)).status, 200)
    return 'one rotation, one live token for all'
  },

  async 'one tag of a name'({ call, ways }) {
    const answers = await atOnce(ways, () => ask(call, 'POST', '/tags', { name: 'the same' }))
    assert.deepEqual(statuses(answers), { 201: 1, 409: ways - 1 })
    return `1 made it, ${ways - 1} were told that it is there`
  },

  async 'a tag each on one file'({ call, ways, files }) {
    const tags = await atOnce(ways, (n) => ask(call, 'POST', '/tags', { name: `race ${n}` }))
    const ids = tags.map(({ body }) => body.id as string)
    const answers = await atOnce(ways, (n) =>
      n % 2 === 0
        ? ask(call, 'PUT', `/files/${files[0]}/tags/${ids[n]}`)
        : ask(call, 'POST', '/files/bulk/tags', {
            file_ids: [files[0]!],
            tag_ids: [ids[n]!],
            action: 'add',
          }),
    )
    assert.deepEqual(statuses(answers), { 200: ways })
    const { body } = await ask(call, 'GET', `/files/${files[0]}/tags`)
    assert.deepEqual(body.map(({ id }: { id: string }) => id).sort(), ids.toSorted())
    return `${ways} tags are on it`
  },

  async 'a place each in one pool'({ call, ways, files }) {
    const pool = (await ask(call, 'POST', '/pools', { name: 'race' })).body.id
    const path = `/pools/${pool}/files`
    const answers = await atOnce(ways, (n) => {
      if (n % 5 < 4) return ask(call, 'POST', path, { file_ids: [files[n]!], position: 0 })
      // Files that aren't there yet can't be arranged: those that are keep their number.
      return ask(call, 'PUT', `${path}/reorder`, { file_ids: [] })
    })
    const added = files.slice(0, ways).filter((_, n) => n % 5 < 4)
    assert.deepEqual(statuses(answers), { 201: added.length, 204: ways - added.length })
    const placed = await listAll(call, path)
    assert.deepEqual(placed.map(({ id }) => id).sort(), added.toSorted())
    const positions = placed.map(({ position }) => position)
    assert.deepEqual(
      positions.toSorted((a, b) => a - b),
      [...added.keys()],
    )
    const orders = await atOnce(20, async (n) => {
      const order = placed.map((_, index) => placed[(index + n) % placed.length]!.id)
      assert.equal((await ask(call, 'PUT', `${path}/reorder`, { file_ids: order })).status, 204)
      return order.join()
    })
    const last = await listAll(call, path)
    assert.ok(orders.includes(last.map(({ id }) => id).join()))
    return `${added.length} positions, none twice; the order of 20 at once is that of one`
  },

  async 'two admins who demote each other'({ server, call: root, ways }) {
    const rights = { is_admin: true, password: server.adminPassword }
    const { body } = await ask(root, 'POST', '/users', { name: 'eve', ...rights })
    const eve = await callAs(server, 'eve')
    const off = { is_admin: false }
    for (let n = 0; n < ways; n++) {
      const [mine, hers] = await Promise.all([
        ask(root, 'PATCH', `/users/${body.id}`, off),
        ask(eve, 'PATCH', '/users/1', off),
      ])
      assert.deepEqual(statuses([mine, hers]), { 200: 1, 403: 1 })
      const [admin, other] = mine.status === 200 ? [root, body.id] : [eve, 1]
      const back = await ask(admin, 'PATCH', `/users/${other}`, { is_admin: true })
      assert.equal(back.status, 200)
    }
    return `${ways} times one of them stayed`
  },

  async 'one import'({ call, ways, dataDir }) {
    const importer = createImporter(dataDir)
    await importer.add(10)
    const answers = await atOnce(ways, () => ask(call, 'POST', '/files/import'))
    const counts = statuses(answers)
    assert.equal((counts[200] ?? 0) + (counts[409] ?? 0), ways)
    const events = answers
      .filter(({ status }) => status === 200)
      .flatMap(({ body }) => (body as string).trimEnd().split('\n'))
      .map((line) => JSON.parse(line))
    const imported = events.filter(({ status }) => status === 'imported')
    assert.equal(imported.length, 10)
    assert.deepEqual(readdirSync(join(dataDir, 'import')), [])
    await withDatabase(dataDir, (db) => importer.check(db))
    return `${counts[200]} ran, ${counts[409]} were refused, each file came once`
  },

  async 'changes of contents against backups'({ call, ways, dataDir, folder }) {
    const clients = ['ann', 'ben', 'cem'].map((prefix, seed) =>
      createClient({ prefix, seed, kinds: ['upload', 'replace', 'trash', 'purge'] }),
    )
    const over = new AbortController()
    const work = Promise.all(clients.map((client) => client.work(call, over.signal)))
    const dir = join(folder, 'backups')
    const backups = Math.max(2, Math.round(ways / 50))
    try {
      for (let n = 0; n < backups; n++) {
        const { code, result, stderr } = await command(dataDir, ['backup', dir, '--json'])
        assert.equal(code, 0, stderr)
        assert.deepEqual(result.missing, [])
      }
    } finally {
      over.abort()
      await work
    }
    const { code, result } = await command(dataDir, ['backup', '--verify', dir, '--json'])
    assert.deepEqual([code, result.findings], [0, []])
    const restored = join(folder, 'restored')
    assert.equal((await command(restored, ['restore', dir])).code, 0)
    await withDatabase(restored, (db) => assert.deepEqual(checkSound(restored, db), []))
    await withDatabase(dataDir, (db) => {
      for (const client of clients) assert.equal(client.compare(db), false)
    })
    const counts = clients.map(({ counts }) => [...counts.values()].reduce((a, b) => a + b, 0))
    const changes = counts.reduce((a, b) => a + b, 0)
    return `${backups} backups beside ${changes} changes, nothing missing`
  },
}

async function listAll(call: Scene['call'], path: string) {
  const all: { id: string; position: number }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await ask(call, 'GET', `${path}?limit=200${query}`)
    all.push(...body.items)
    cursor = body.next_cursor
  }
  return all
}
