import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LibraryLine } from '../../src/exports/library-format.ts'
import { contentsOf, withoutSmallStore } from '../support/contents.ts'
import {
  exported,
  linesIn,
  makeExportedLibrary,
  seenIn,
  sha256,
} from '../support/exported-library.ts'
import { openLibrary, picture } from '../support/harness.ts'
import { without } from '../support/media/media.ts'
import { after, afterEach, before, beforeEach, describe, it } from '../support/test.ts'

const BEACH = '2019/2019-07/beach.jpg'
const TWIN = '2019/2019-07/BEACH (2).JPG'
const FILM = '2019/2019-07/beach.mp4'
const ODD = '2020/2020-01/_a_b_c.jpg'
const ALL = [TWIN, BEACH, FILM, ODD]
const withSidecars = (paths: string[]) =>
  [...paths.flatMap((path) => [path, `${path}.xmp`]), 'library.json'].sort()

let made: Awaited<ReturnType<typeof makeExportedLibrary>>
let folder: string
let dir: string
before(async () => {
  made = await makeExportedLibrary()
  folder = mkdtempSync(join(tmpdir(), 'tagstead-export-'))
})
after(async () => {
  await made.library.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  dir = join(folder, 'out')
  mkdirSync(dir)
})
afterEach(() => rmSync(dir, { recursive: true }))

const of = <Type extends LibraryLine['type']>(type: Type) =>
  linesIn(dir).filter((line): line is Extract<LibraryLine, { type: Type }> => line.type === type)
const file = (path: string) => of('file').find((line) => line.path === path)!
const blobOf = (id: string) => {
  const sql = 'SELECT blob FROM file_details JOIN files ON rid = file_rid WHERE id = unhex(?)'
  const { blob } = made.library.deps.db.get<{ blob: string }>(sql, id.replaceAll('-', ''))!
  return blob
}

describe('an export', () => {
  it('has each file that is not in the trash, with its bytes, its time and a sidecar', async () => {
    const result = await exported(made.library, dir)
    assert.deepEqual(seenIn(dir), withSidecars(ALL))
    const { beach, twin, film, odd } = made.files
    for (const [path, id] of [
      [BEACH, beach],
      [TWIN, twin],
      [FILM, film],
      [ODD, odd],
    ] as const) {
      const bytes = readFileSync(join(dir, path))
      assert.deepEqual(bytes, Buffer.from(made.contents[id]!))
      assert.equal(file(path).sha256, sha256(bytes))
      assert.equal(statSync(join(dir, path)).mtimeMs, Date.parse(file(path).date.time))
      assert.equal(statSync(join(dir, path)).nlink, 1)
    }
    const bytes = ALL.reduce((sum, path) => sum + statSync(join(dir, path)).size, 0)
    assert.deepEqual(result, {
      ...{ files: 4, bytes, written: 4, written_bytes: bytes, sidecars: 4, removed: 0, faults: 0 },
      told: [],
    })
    assert.deepEqual(readdirSync(join(dir, '.tagstead-export')), ['library'])
    assert.equal(existsSync(join(made.library.folder, 'tmp-export')), false)
  })

  it('says all that people made', async () => {
    await exported(made.library, dir)
    const none = { notes: null, metadata: null, rights: [] }
    assert.deepEqual(
      linesIn(dir).map(({ type }) => type),
      [
        ...['library', 'user', 'user', 'user', 'category', 'category', 'category'],
        ...['tag', 'tag', 'tag', 'tag', 'rule', 'file', 'file', 'file', 'file', 'pair'],
        ...['pool', 'pool_files', 'pool', 'pool_files', 'pool', 'dismissal'],
      ],
    )
    assert.deepEqual(
      of('user').map(({ name }) => name),
      ['ann', 'bob', 'root'],
    )
    assert.deepEqual(of('category')[0], {
      ...{ type: 'category', name: 'Places', color: 'ff8800', ...none },
      ...{ creator: 'ann', is_public: true },
    })
    assert.deepEqual(of('tag')[1], {
      ...{
        type: 'tag',
        name: 'Paris (Texas)',
        color: null,
        category: 'Places',
        notes: 'two\nlines',
      },
      ...{ metadata: { xmp_path: ['Texas', 'Paris'], more: 1 }, creator: 'ann', is_public: true },
      rights: [],
    })
    assert.deepEqual(of('rule'), [
      // biome-ignore lint/suspicious/noThenProperty: a rule has it
      { type: 'rule', when: 'Paris (Texas)', then: 'Texas', is_active: true },
    ])
    const { size, sha256: _, ...beach } = file(BEACH)
    assert.deepEqual(beach, {
      ...{ type: 'file', path: BEACH, name: 'beach.jpg', notes: 'By the <sea>' },
      ...{ metadata: { of: [1, null] }, creator: 'ann', is_public: false },
      rights: [{ user: 'bob', can_view: true, can_edit: true }],
      date: { time: '2019-07-14T08:00:00.000Z', offset: 120, source: 'given', precision: null },
      ...{ rotation: 90, needs_review: false, tags: ['Paris (Texas)', '★★★', 'Hidden'] },
      ...{ tags_by_rule: ['Texas'], favourite_of: ['ann', 'root'] },
    })
    assert.equal(file(TWIN).date.precision, 'month')
    assert.equal(file(ODD).name, '.a?b|c.jpg')
    assert.deepEqual(of('pair'), [{ type: 'pair', film: FILM, picture: BEACH }])
    assert.deepEqual(of('dismissal'), [{ type: 'dismissal', files: [BEACH, TWIN] }])
    const [summer, own, smart] = of('pool')
    assert.deepEqual(summer!.rights, [{ user: 'bob', can_view: true, can_edit: false }])
    assert.deepEqual([summer!.shares_files, own!.shares_files], [true, false])
    assert.deepEqual(
      of('pool_files').map(({ files, shared }) => [files, shared]),
      [
        [
          [TWIN, BEACH],
          [TWIN, BEACH],
        ],
        [[BEACH], []],
      ],
    )
    const tokens = ['(', { tag: 'Paris (Texas)' }, '|', { category: 'Places' }, ')', '&', '!']
    assert.deepEqual(smart!.filter, [...tokens, { pool: 0 }, '&', { user: 'ann' }, '&', 'f=0'])
  })

  it('names no id', async () => {
    await exported(made.library, dir)
    for (const path of seenIn(dir)) {
      assert.doesNotMatch(readFileSync(join(dir, path), 'latin1'), /[0-9a-f]{8}-[0-9a-f]{4}-7/)
    }
  })

  it('has sidecars that exiftool reads', { skip: without('exiftool', '-ver') }, async () => {
    await exported(made.library, dir)
    const out = execFileSync('exiftool', ['-j', '-struct', join(dir, `${BEACH}.xmp`)])
    const [read] = JSON.parse(out.toString())
    const albums = ['Albums/Summer']
    assert.deepEqual(read.TagsList, ['Texas', 'Texas/Paris', 'Hidden', ...albums])
    assert.deepEqual(read.HierarchicalSubject, ['Texas', 'Texas|Paris', 'Hidden', 'Albums|Summer'])
    assert.deepEqual(read.Subject, ['Texas', 'Paris', 'Hidden'])
    assert.equal(read.Rating, 3)
    assert.equal(read.Description, 'By the <sea>')
    assert.equal(read.DateTimeOriginal, '2019:07:14 10:00:00+02:00')
  })

  it('has of a user only what that user sees', async () => {
    await exported(made.library, dir, { user: 'bob' })
    // Through the pool, bob sees both of its files; the film, and all that hangs on hidden tags, stays hidden.
    assert.deepEqual(seenIn(dir), withSidecars([TWIN, BEACH, ODD]))
    assert.deepEqual(file(BEACH).tags, ['Paris (Texas)', '★★★'])
    assert.deepEqual([file(BEACH).rights, file(BEACH).favourite_of], [[], []])
    assert.deepEqual(
      of('pool').map(({ name, rights }) => [name, rights]),
      [['Summer', []]],
    )
    assert.deepEqual(
      of('pool_files').map(({ shared }) => shared),
      [[]],
    )
    assert.deepEqual(of('pair'), [])
    const text = [`${BEACH}.xmp`, 'library.json'].map((path) =>
      readFileSync(join(dir, path), 'utf8'),
    )
    assert.doesNotMatch(text.join(), /Hidden|Secret|hers|root|Smart/)
  })

  it('names no hidden tag or category as a level of another one, but to the one who made that', async () => {
    const { library, ask, files } = made
    const { id: kitchen } = await ask('ann', 'POST', '/categories', { name: 'Kitchen' })
    const tag = async (by: 'ann' | 'bob', name: string, xmp_path: string[]) =>
      (await ask(by, 'POST', '/tags', { name, is_public: true, metadata: { xmp_path } })).id
    const ids = [
      (await ask('ann', 'POST', '/tags', { name: 'Cellar' })).id,
      // What bob sees at a path of that name.
      await tag('ann', 'Cellar (Home)', ['Home', 'Cellar']),
      await tag('ann', 'Wine', ['Cellar', 'Reds', 'Wine']),
      await tag('ann', 'Beer', ['Home', 'Cellar', 'Beer']),
      await tag('bob', 'Juice', ['Cellar', 'Juice']),
      await tag('ann', 'Tea', ['Kitchen', 'Hot', 'Tea']),
    ]
    const { tags } = await ask('ann', 'GET', `/files/${files.beach}`)
    const former = tags.map(({ id }: { id: string }) => id)
    await ask('ann', 'PUT', `/files/${files.beach}/tags`, { tag_ids: [...former, ...ids] })
    try {
      const [wine, tea] = [
        ['Cellar', 'Reds', 'Wine'],
        ['Kitchen', 'Hot', 'Tea'],
      ] as const
      for (const [user, ...tops] of [
        ['root', wine, tea],
        ['ann', wine, tea],
        ['bob', wine.slice(1), tea.slice(1)],
      ] as const) {
        await exported(library, dir, { user })
        const paths = [tops[0], ['Home', 'Cellar', 'Beer'], ['Cellar', 'Juice'], tops[1]]
        assert.deepEqual(
          of('tag').flatMap(({ name, metadata }) =>
            /Wine|Beer|Juice|Tea/.test(name) ? [metadata!.xmp_path] : [],
          ),
          paths,
        )
        const text = readFileSync(join(dir, `${BEACH}.xmp`), 'utf8')
        for (const path of paths) assert.ok(text.includes(`<rdf:li>${path.join('|')}<`), text)
      }
    } finally {
      for (const id of ids) await ask('root', 'DELETE', `/tags/${id}`)
      await ask('root', 'DELETE', `/categories/${kitchen}`)
    }
  })

  it('has of a user who made things their rights, and only their favourites', async () => {
    await exported(made.library, dir, { user: 'ann' })
    assert.deepEqual(seenIn(dir), withSidecars([TWIN, BEACH, FILM]))
    assert.deepEqual(file(BEACH).favourite_of, ['ann'])
    assert.equal(file(BEACH).rights[0]!.user, 'bob')
  })

  it('has the files of a filter alone, and pools with what is left of them', async () => {
    const { body } = await made.library.call('GET', '/tags?search=texas', {
      token: made.people.root.token,
    })
    await exported(made.library, dir, { filter: `{t=${body.items[0].id}}` })
    assert.deepEqual(seenIn(dir), withSidecars([BEACH]))
    assert.deepEqual(
      of('pool_files').map(({ files }) => files),
      [[BEACH], [BEACH]],
    )
    await assert.rejects(exported(made.library, dir, { filter: '{x}' }), /no such token/)
  })

  it('writes nothing again, and the same text', async () => {
    await exported(made.library, dir)
    const library = readFileSync(join(dir, 'library.json'), 'utf8')
    const inodes = () =>
      seenIn(dir)
        .filter((path) => path !== 'library.json')
        .map((path) => [path, statSync(join(dir, path)).ino])
    const first = inodes()
    const { written, sidecars, removed } = await exported(made.library, dir)
    assert.deepEqual([written, sidecars, removed], [0, 0, 0])
    assert.deepEqual(inodes(), first)
    assert.equal(readFileSync(join(dir, 'library.json'), 'utf8'), library)
  })

  it('mends what others have changed, and removes what it wrote and is gone', async () => {
    await exported(made.library, dir)
    writeFileSync(join(dir, BEACH), 'short')
    unlinkSync(join(dir, FILM))
    writeFileSync(join(dir, `${TWIN}.xmp`), 'other')
    mkdirSync(join(dir, 'mine'))
    for (const path of ['mine/a.txt', '2020/2020-01/mine.txt']) writeFileSync(join(dir, path), 'x')
    const { written, sidecars, removed } = await exported(made.library, dir, { user: 'ann' })
    assert.deepEqual([written, removed], [2, 1])
    // Two have changed: that of bob's picture is gone.
    assert.equal(sidecars, 1)
    assert.deepEqual(
      seenIn(dir),
      [...withSidecars([TWIN, BEACH, FILM]), 'mine/a.txt', '2020/2020-01/mine.txt'].sort(),
    )
    unlinkSync(join(dir, '2020/2020-01/mine.txt'))
    await exported(made.library, dir)
    await exported(made.library, dir, { user: 'ann' })
    assert.equal(existsSync(join(dir, '2020')), false)
  })

  it('replaces nothing that it has not written', async () => {
    await exported(made.library, dir, { user: 'ann' })
    mkdirSync(join(dir, '2020/2020-01'), { recursive: true })
    writeFileSync(join(dir, ODD), 'mine')
    const { told, faults } = await exported(made.library, dir)
    assert.deepEqual(told, [[ODD, 'something else has that name']])
    assert.equal(faults, 1)
    assert.equal(file(ODD), undefined)
    await exported(made.library, dir)
    await exported(made.library, dir, { user: 'ann' })
    assert.equal(readFileSync(join(dir, ODD), 'utf8'), 'mine')
    assert.equal(existsSync(join(dir, `${ODD}.xmp`)), false)
  })

  it('reports what it can not replace or remove, and goes on', async () => {
    await exported(made.library, dir)
    for (const path of [FILM, ODD]) {
      unlinkSync(join(dir, path))
      mkdirSync(join(dir, path))
    }
    const { told, removed, faults } = await exported(made.library, dir, { user: 'ann' })
    assert.deepEqual(
      told.map(([path]) => path),
      [ODD, FILM],
    )
    assert.match(told[0]![1], /^it can't be removed: /)
    assert.deepEqual([removed, faults], [0, 2])
    assert.deepEqual(
      of('file').map(({ path }) => path),
      [BEACH, TWIN, FILM],
    )
    for (const path of [FILM, ODD]) rmdirSync(join(dir, path))
    const again = await exported(made.library, dir, { user: 'ann' })
    assert.deepEqual([again.removed, again.faults], [1, 0])
    assert.deepEqual(seenIn(dir), withSidecars([BEACH, TWIN, FILM]))
    assert.deepEqual((await exported(made.library, dir, { user: 'ann' })).removed, 0)
  })

  it('removes nothing that came into the place of what it has removed, as long as something else is stuck', async () => {
    await exported(made.library, dir)
    unlinkSync(join(dir, FILM))
    mkdirSync(join(dir, FILM))
    const filter = '{d=2020-01}'
    const first = await exported(made.library, dir, { filter })
    assert.deepEqual([first.removed, first.told.map(([path]) => path)], [2, [FILM]])
    writeFileSync(join(dir, TWIN), 'mine')
    for (const _ of [1, 2, 3]) {
      const { removed, faults } = await exported(made.library, dir, { filter })
      assert.deepEqual([removed, faults], [0, 1])
    }
    assert.equal(readFileSync(join(dir, TWIN), 'utf8'), 'mine')
    assert.deepEqual(
      readdirSync(join(dir, '.tagstead-export')).filter((name) => name.startsWith('named-')).length,
      1,
    )
    const { told } = await exported(made.library, dir)
    assert.deepEqual(told.map(([path]) => path).sort(), [TWIN, FILM].sort())
    assert.equal(readFileSync(join(dir, TWIN), 'utf8'), 'mine')
  })

  it('replaces no link that has the name of a sidecar', async () => {
    await exported(made.library, dir, { user: 'ann' })
    mkdirSync(join(dir, '2020/2020-01'), { recursive: true })
    symlinkSync('nowhere', join(dir, `${ODD}.xmp`))
    const { told } = await exported(made.library, dir)
    assert.deepEqual(told, [[ODD, 'something else has that name']])
    assert.equal(readlinkSync(join(dir, `${ODD}.xmp`)), 'nowhere')
  })

  it('removes nothing outside, whatever somebody has written into its list', async () => {
    await exported(made.library, dir)
    const victim = join(folder, 'victim.jpg')
    writeFileSync(victim, 'x')
    const list = join(dir, 'library.json')
    const text = readFileSync(list, 'utf8').replaceAll(
      `"${ODD}"`,
      '"2020/2020-01/../../../victim.jpg"',
    )
    writeFileSync(list, text)
    await exported(made.library, dir, { user: 'ann' })
    assert.ok(existsSync(victim))
    unlinkSync(victim)
  })

  it('takes what damaged lines of its lists name for what it has not written', async () => {
    await exported(made.library, dir)
    const list = join(dir, 'library.json')
    const lines = readFileSync(list, 'utf8').split('\n')
    const at = (path: string) => lines.findIndex((line) => line.includes(`"file","path":"${path}"`))
    const long = `{"type":"file","path":"${FILM}","sha256":"${'0'.repeat(2 ** 24)}"},`
    lines[at(FILM)] = long
    lines[at(TWIN)] = lines[at(TWIN)]!.slice(0, 60)
    lines[at(ODD)] = lines[at(ODD)]!.replace(/"sha256":"\w+"/, '"sha256":{"toString":1}')
    writeFileSync(list, lines.join('\n'))
    const kept = readFileSync(join(dir, ODD))
    const { told, removed } = await exported(made.library, dir, { user: 'bob' })
    assert.deepEqual(told, [
      [TWIN, 'something else has that name'],
      [ODD, 'something else has that name'],
    ])
    assert.equal(removed, 0)
    assert.deepEqual(file(BEACH).path, BEACH)
    assert.deepEqual(readFileSync(join(dir, ODD)), kept)
    assert.deepEqual(seenIn(dir), withSidecars(ALL))
  })

  it('reports a content that is missing or short, and writes the rest', async () => {
    const [beach, odd] = [blobOf(made.files.beach), blobOf(made.files.odd)]
    const contents = contentsOf(made.library)
    const [lost, whole] = [contents.read(beach), contents.read(odd)]
    contents.remove(beach)
    contents.write(odd, whole.subarray(1))
    try {
      const { told, written, sidecars } = await exported(made.library, dir)
      assert.deepEqual(told.toSorted(), [
        [BEACH, 'its content is missing'],
        [ODD, `its content has ${whole.length - 1} bytes, not ${whole.length}`],
      ])
      assert.deepEqual([written, sidecars], [2, 4])
    } finally {
      contents.write(beach, lost)
      contents.write(odd, whole)
    }
    const { written, faults } = await exported(made.library, dir)
    assert.deepEqual([written, faults], [2, 0])
  })

  it('goes on where another one was stopped, and looks whole only at the end', async () => {
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await exported(made.library, dir, { user: 'bob' })
    await assert.rejects(exported(made.library, dir, { signal: stop.signal }), /stopped/)
    assert.equal(existsSync(join(dir, 'library.json')), false)
    // What the first one wrote is known still, and removed.
    const { removed } = await exported(made.library, dir, { user: 'ann' })
    assert.equal(removed, 1)
    assert.deepEqual(seenIn(dir), withSidecars([TWIN, BEACH, FILM]))
  })

  it('ends where the store of the contents does not answer', {
    skip: withoutSmallStore,
  }, async () => {
    const library = await openLibrary({ CONTENTS: 's3' })
    try {
      const { token } = await library.join('ann', { can_create: true })
      await library.upload(token, await picture(1))
      const { store } = library
      store!.trouble = ({ key }) => (key.endsWith('.library') ? undefined : 503)
      await assert.rejects(exported(library, dir), /does not answer: try again later/)
      store!.trouble = () => undefined
      const { written, faults } = await exported(library, dir)
      assert.deepEqual([written, faults], [1, 0])
    } finally {
      await library.close()
    }
  })

  it('fails where blocks are to be shared and the disk can not do that', {
    skip: existsSync('/dev/shm') ? false : 'needs /dev/shm',
  }, async () => {
    const other = mkdtempSync('/dev/shm/tagstead-export-')
    try {
      await assert.rejects(exported(made.library, other, { sharing: 'reflink' }), /share blocks/)
      assert.equal((await exported(made.library, other)).faults, 0)
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  it('goes through no link in its folder', async () => {
    await exported(made.library, dir)
    const elsewhere = join(folder, 'elsewhere')
    renameSync(join(dir, '2019'), elsewhere)
    symlinkSync(elsewhere, join(dir, '2019'))
    await assert.rejects(exported(made.library, dir, { user: 'bob' }), /2019 is a link/)
    assert.ok(existsSync(join(elsewhere, '2019-07/beach.jpg')))
    rmSync(elsewhere, { recursive: true })
  })

  it('is refused in a folder with anything else, or with the export of another library', async () => {
    writeFileSync(join(dir, 'mine.txt'), 'x')
    await assert.rejects(exported(made.library, dir), /is not empty/)
    assert.deepEqual(seenIn(dir), ['mine.txt'])
    unlinkSync(join(dir, 'mine.txt'))
    await exported(made.library, dir)
    writeFileSync(join(dir, '.tagstead-export/library'), 'f'.repeat(32))
    await assert.rejects(exported(made.library, dir), /another library/)
    await assert.rejects(exported(made.library, dir, { user: 'nobody' }), /no user "nobody"/)
  })
})
