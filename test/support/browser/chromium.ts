import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { without } from '../media/media.ts'

/** For a test's `skip`: false when there is Debian's Chromium. */
export const withoutChromium = without('chromium', '--version')

/** A running browser without a window, with a profile of its own. */
export interface Browser {
  /** Opens a page and resolves once it is loaded. */
  open(url: string): Promise<Page>
  /** Ends the browser, whatever it is doing, and removes its profile. */
  close(): Promise<void>
}

export interface Page {
  /** Returns the JSON value of an expression in the page, a promise's when it is settled. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Returns the texts of the dialogs that the page has opened; each is closed at once. */
  dialogs: string[]
  close(): Promise<void>
}

type Message = Record<string, unknown>

/** Starts Chromium; nothing of it outlives this process. */
export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'tagstead-browser-'))
  const child = spawn(
    'chromium',
    [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--mute-audio',
      '--autoplay-policy=no-user-gesture-required',
      // It can't have a sandbox of its own as root, which tests may run as.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      'about:blank',
    ],
    // A group of its own, because it starts other processes.
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
  )
  const kill = () => killGroup(child)
  const remove = () => {
    kill()
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  process.once('exit', remove)
  const ended = once(child, 'close')
  const protocol = speak(child)
  return {
    open: (url) => openPage(protocol, url),
    async close() {
      kill()
      await ended
      process.off('exit', remove)
      remove()
    },
  }
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

interface Protocol {
  /** Sends a command of the DevTools protocol; returns its result, or throws its error. */
  send(method: string, params?: Message, sessionId?: string): Promise<Message>
  /** Calls `hear` with each event of a session. */
  on(sessionId: string, hear: (method: string, params: Message) => void): void
}

/** Speaks the DevTools protocol over the pipes: JSON, each message ended by a zero byte. */
function speak(child: ChildProcess): Protocol {
  const [writable, readable] = [child.stdio[3] as Writable, child.stdio[4] as Readable]
  const waiting = new Map<number, { resolve(value: Message): void; reject(error: Error): void }>()
  const listeners = new Map<string, (method: string, params: Message) => void>()
  let last = 0
  let pending = Buffer.alloc(0)
  readable.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (let end = pending.indexOf(0); end >= 0; end = pending.indexOf(0)) {
      hear(JSON.parse(pending.subarray(0, end).toString()))
      pending = pending.subarray(end + 1)
    }
  })
  const hear = ({ id, result, error, method, params, sessionId }: Message) => {
    const answer = waiting.get(id as number)
    waiting.delete(id as number)
    if (error) answer?.reject(new Error(JSON.stringify(error)))
    else answer?.resolve(result as Message)
    if (method) listeners.get(sessionId as string)?.(method as string, params as Message)
  }
  const fail = () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser has ended'))
    waiting.clear()
  }
  child.on('close', fail)
  writable.on('error', fail)
  return {
    on: (sessionId, listener) => listeners.set(sessionId, listener),
    send(method, params = {}, sessionId) {
      const id = ++last
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        writable.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      })
    },
  }
}

async function openPage(protocol: Protocol, url: string): Promise<Page> {
  const { targetId } = await protocol.send('Target.createTarget', { url: 'about:blank' })
  const attached = await protocol.send('Target.attachToTarget', { targetId, flatten: true })
  const session = attached.sessionId as string
  const dialogs: string[] = []
  const loaded = new Promise<void>((resolve) => {
    protocol.on(session, (method, params) => {
      if (method === 'Page.loadEventFired') resolve()
      if (method !== 'Page.javascriptDialogOpening') return
      dialogs.push(String(params.message))
      void protocol.send('Page.handleJavaScriptDialog', { accept: true }, session)
    })
  })
  await protocol.send('Page.enable', {}, session)
  const { errorText } = await protocol.send('Page.navigate', { url }, session)
  if (errorText) throw new Error(`${url}: ${errorText}`)
  await loaded
  return {
    dialogs,
    async evaluate<Value>(expression: string) {
      const params = { expression, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails } = await protocol.send('Runtime.evaluate', params, session)
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return (result as { value: Value }).value
    },
    close: async () => void (await protocol.send('Target.closeTarget', { targetId })),
  }
}
