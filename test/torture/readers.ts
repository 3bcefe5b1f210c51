import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { createPasswords } from '../../src/auth/password.ts'
import { makeLibrary } from '../bench/library.ts'
import { randomNumbers } from '../support/file-rows.ts'
import { commandOf, descendantsOf, isRunning } from '../support/processes.ts'
import { type SpawnedServer, spawnServer } from '../support/spawn.ts'
import { until } from './points/scene.ts'
import { parametersOf, type TortureOptions, tell } from './worlds/options.ts'

const FILES = 20_000
const MINUTES = 10
const CLIENTS = 6
/** The longest that an answer may take, in milliseconds. */
const LONGEST = 11_000
const PASSWORD = 'a password for tests'

/**
 * Asks a server for pages, overviews and counts for ten minutes or `--minutes`, while something is written and its
 * readers are killed or stand still, and it is killed itself. Throws when an answer is wrong, or is an error but for 503
 * with Retry-After, or takes more than 11 s, and when a process is left in the end.
 */
export async function torture(options: TortureOptions): Promise<void> {
  const { runtimes, seed } = parametersOf(options, 1)
  for (const runtime of runtimes) {
    const minutes = Number(options.minutes ?? MINUTES) / runtimes.length
    const told = await killReaders({ runtime, seed, minutes })
    tell(`readers, ${runtime}: ${told} (seed ${seed})`)
  }
}

async function killReaders({
  runtime,
  seed,
  minutes,
}: {
  runtime: 'bun' | 'node'
  seed: number
  minutes: number
}): Promise<string> {
  const random = randomNumbers(seed)
  const library = makeLibrary({ files: FILES })
  const db = library.reopen()
  const counts = { answers: 0, busy: 0, cut: 0, killed: 0, stopped: 0, restarts: 0, longest: 0 }
  let server: SpawnedServer | undefined
  try {
    db.run('UPDATE users SET password_hash = ?', await createPasswords().hash(PASSWORD))
    const start = () =>
      spawnServer({ dataDir: library.folder, runtime, env: { CLIENT_REQUESTS: '0' } })
    server = await start()
    const tokens = await Promise.all(['root', 'ben'].map((name) => signIn(server!, name)))
    const seen = new Set<number>()
    const readers = () => {
      const found = descendantsOf(server!.process.pid!).filter((pid) =>
        commandOf(pid).includes('reader/reader-main'),
      )
      for (const pid of found) seen.add(pid)
      return found
    }
    const asked = questions(library.tags.map(({ id }) => id))
    const ask = (question: string, token: string) =>
      fetch(`${server!.url}/api/v1${question}`, { headers: { Authorization: `Bearer ${token}` } })
    const expected = new Map<string, string>()
    const keyOf = (question: string, token: string) => `${tokens.indexOf(token)} ${question}`
    for (const question of asked) {
      for (const token of tokens) {
        const answer = await ask(question, token)
        assert.equal(answer.status, 200, question)
        expected.set(keyOf(question, token), withoutTime(await answer.text()))
      }
    }
    const ends = performance.now() + minutes * 60_000
    const goesOn = () => performance.now() < ends
    const client = async () => {
      while (goesOn()) {
        const question = asked[random(asked.length)]!
        const token = tokens[random(tokens.length)]!
        const begun = performance.now()
        let answer: Response | null = null
        let text = ''
        try {
          answer = await ask(question, token)
          text = await answer.text()
        } catch {
          // The server was killed.
          counts.cut++
          await setTimeout(100)
          continue
        }
        const took = performance.now() - begun
        counts.longest = Math.max(counts.longest, took)
        assert.ok(took < LONGEST, `${question} took ${took} ms`)
        counts.answers++
        if (answer.status === 503) {
          assert.ok(answer.headers.get('Retry-After'), question)
          counts.busy++
        } else {
          assert.equal(answer.status, 200, text)
          assert.equal(withoutTime(text), expected.get(keyOf(question, token)), question)
        }
      }
    }
    const writer = async () => {
      // What is written changes no answer, but whatever is kept of one.
      while (goesOn()) {
        db.run('UPDATE tags SET metadata = NULL WHERE rid = 1')
        await setTimeout(random(200))
      }
    }
    const killer = async () => {
      while (goesOn()) {
        await setTimeout(random(3000))
        const found = readers()
        const pid = found[random(Math.max(found.length, 1))]
        const what = random(8)
        if (what === 0) {
          if (pid) process.kill(pid, 'SIGSTOP')
          await server!.stop('SIGKILL')
          server = await start()
          counts.restarts++
        } else if (pid) {
          signal(pid, what < 4 ? 'SIGSTOP' : 'SIGKILL')
          if (what < 4) counts.stopped++
          else counts.killed++
          await setTimeout(random(2) === 0 ? random(12_000) : 0)
          if (what < 4) signal(pid, 'SIGCONT')
        }
      }
    }
    await Promise.all([...Array.from({ length: CLIENTS }, client), writer(), killer()])
    readers()
    await server.stop()
    await until('no reader', () => ![...seen].some(isRunning))
    return JSON.stringify({ ...counts, longest: Math.round(counts.longest) })
  } finally {
    server?.process.kill('SIGKILL')
    db.close()
    library.remove()
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone.
  }
}

async function signIn(server: SpawnedServer, name: string): Promise<string> {
  const body = JSON.stringify({ name, password: PASSWORD })
  const headers = { 'Content-Type': 'application/json' }
  const url = `${server.url}/api/v1/auth/login`
  const answer = await fetch(url, { method: 'POST', headers, body })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Tells when it was counted. */
function withoutTime(text: string): string {
  return text.replace(/"as_of":"[^"]*"/, '')
}

function questions(tags: string[]): string[] {
  const [a, b, c] = [tags[0], tags[10], tags[60]]
  const filter = (text: string) => `filter=${encodeURIComponent(text)}`
  const untagged = 't=00000000-0000-0000-0000-000000000000'
  const lists = [
    '',
    filter(`{t=${a}}`),
    filter(`{!,t=${b}}`),
    filter(`{${untagged}}`),
    'search=img',
  ]
  const pairs = tags
    .slice(10, 50)
    .map((tag, n) => (n === 0 ? `t=${tag}` : `${n % 2 ? '&' : '|'},t=${tag}`))
  return [
    ...lists.flatMap((list) => [
      `/files/timeline?sort=content_datetime&${list}`,
      `/files/ids?sort=content_datetime&limit=1000&${list}`,
    ]),
    ...lists.slice(0, 3).map((list) => `/tags/counts?${list}`),
    `/files/cells?sort=content_datetime&${filter(`{t=${b},&,t=${c}}`)}`,
    `/files/cells?sort=original_name&${filter(`{${pairs.join(',')}}`)}`,
    `/files/cells?sort=original_name&search=q`,
    `/files/cells?search=zz&${filter(`{!,t=${a}}`)}`,
  ]
}
