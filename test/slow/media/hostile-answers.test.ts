import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import sharp from 'sharp'
import { walledDecoder, withoutWalls } from '../../support/media/walls.ts'
import { after, afterEach, before, describe, it } from '../../support/test.ts'

const { PATH } = process.env
const SERVER = { host: '127.0.0.1', port: 9 }
const READY = JSON.stringify({ cpu: 1, rss: 1, ready: true, slowness: 1, opened: [] })

/** A child that says what it likes stands where bubblewrap is looked for; the next one is a real one. */
describe('a child that answers what no decoder answers', {
  skip: withoutWalls('namespaces'),
}, () => {
  let folder: string
  let picture: Uint8Array
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tagstead-answers-'))
    chmodSync(folder, 0o755)
    const create = { width: 60, height: 40, channels: 3, background: '#467' } as const
    picture = await sharp({ create }).png().toBuffer()
  })
  afterEach(() => {
    process.env.PATH = PATH
    rmSync(join(folder, 'once'), { recursive: true, force: true })
  })
  after(() => rm(folder, { recursive: true }))

  /** Has one child run a script, after it is ready and has got a job, whose number is in `$id`. */
  const takenOver = async (script: string) => {
    const real = execFileSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim()
    const file = join(folder, 'bwrap')
    await writeFile(
      file,
      `#!/bin/sh
case "$*" in *main*) if mkdir '${folder}/once' 2>/dev/null; then
  echo '${READY}'
  while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
    [ -n "$id" ] && break
  done
  ${script}
  exec cat >/dev/null
fi ;; esac
exec '${real}' "$@"
`,
    )
    chmodSync(file, 0o755)
    process.env.PATH = `${folder}${delimiter}${PATH}`
    const walled = await walledDecoder('namespaces')
    walled.decoder.begin(SERVER)
    return walled
  }
  const answering = (result: unknown) => {
    const line = JSON.stringify({ id: 0, cpu: 1, rss: 1, result })
    writeFileSync(join(folder, 'line'), `${line}\n`)
    return takenOver(`sed "s/\\"id\\":0/\\"id\\":$id/" '${folder}/line'`)
  }
  const exif = (value: unknown, more: object = {}) => ({ exif: value, dates: [], ...more })

  const answers: Record<string, unknown> = {
    'more EXIF than a page holds': exif({ Make: 'x'.repeat(70_000) }),
    'EXIF with a tree': exif({ Make: { tree: {} } }),
    'no EXIF': { dates: [] },
    'a date that is none': exif({}, { dates: [{ clock: 'now', offset: null, source: 'exif' }] }),
    'a thousand dates': exif(
      {},
      {
        dates: Array.from({ length: 1000 }, () => ({ clock: 0, offset: null, source: 'exif' })),
      },
    ),
    'a size that is none': exif({}, { size: { width: -1, height: 1e300 } }),
    nothing: null,
  }
  for (const [what, result] of Object.entries(answers)) {
    it(`is ended for ${what}, and another one does its work`, async () => {
      const walled = await answering(result)
      const content = await walled.add(picture)
      const read = await walled.decoder.read({
        path: content,
        mime_type: 'image/png',
      })
      assert.deepEqual(read?.facts?.exif, {})
      assert.equal((await walled.told('decoder died')).how, 'said what no decoder says')
      await walled.end()
    })
  }

  it('is ended for a line that has no end', async () => {
    const walled = await takenOver(`dd if=/dev/zero bs=1000000 count=300 2>/dev/null | tr '\\0' x`)
    const content = await walled.add(picture)
    assert.equal((await walled.derive(content, 'image/png')).state, 'made')
    assert.equal((await walled.told('decoder died')).how, 'said too long a line')
    await walled.end()
  })
})
