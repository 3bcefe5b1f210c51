import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { closeBrowser, openBrowser } from '../../support/browser/chromium.ts'
import { commandLine, spawnServer } from '../../support/spawn.ts'
import { madeUpPictures } from './pictures.ts'
import { programWithGallery } from './program.ts'

export { withoutChromium } from '../../support/browser/chromium.ts'

export const PASSWORD = 'a password for tests'

/** What a browser is. */
export interface BrowserOptions {
  size?: { width: number; height: number }
  theme?: 'light' | 'dark'
  /** Such as `de-DE`. */
  language?: string
  /** Touch instead of a mouse, as on phones. */
  isTouch?: boolean
  /** The page's service worker, which keeps from tests what it answers; without it unless it is said. */
  hasWorker?: boolean
  /** The request that waits for changes in other windows, so that the network is never idle; without it unless said. */
  hasChanges?: boolean
  /** The photos of this day in earlier years, which depend on the day of the run; without them unless it is said. */
  hasThisDay?: boolean
}

interface Options extends BrowserOptions {
  /** How many pictures there are. */
  files?: number
  env?: Record<string, string>
  /** Whether the admin signs in at once. */
  isSignedIn?: boolean
  /** Starts what stands between the browser and the server, such as a proxy. */
  before?: (url: string) => Promise<{ url: string; close(): void }>
}

/** A real server with pictures, and a browser that shows its gallery. */
export interface OpenGallery {
  /** Where the browser finds it. */
  url: string
  dataDir: string
  /** The context of `page`; another has cookies of its own. */
  context: BrowserContext
  page: Page
  /** An access token of the admin, for calls from outside of the page. */
  token: string
  /** The ids of the pictures, the newest first. */
  ids: string[]
  /** Calls the API as the admin; throws when the answer is an error. */
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>
  /** Returns another browser's page, which nobody is signed in to; as the gallery's own unless it is said. */
  stranger(browser?: BrowserOptions): Promise<Page>
  /** Stops the server, and starts it again at the same address with the same data. */
  stopServer(signal?: NodeJS.Signals): Promise<void>
  startServer(): Promise<void>
  /** What has gone wrong in pages so far; a test that expects something takes it out. */
  problems: string[]
  /** Ends all of it; throws when something went wrong in a page. */
  close(): Promise<void>
}

/**
 * Starts a server with pictures and a Chromium with the gallery, in which the admin is signed in.
 * Whatever a page may not do fails the test in `close`: violations of the policy, errors, requests
 * to other hosts.
 */
export async function openGallery(options: Options = {}): Promise<OpenGallery> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tagstead-gallery-'))
  // A rescan by the server itself could come at any moment of a test.
  const env = { AUTH_RATE_LIMIT: '0', DUPLICATE_RESCAN_INTERVAL: '0', ...options.env }
  const command = commandLine(undefined, await programWithGallery())
  let server = await spawnServer({ env, dataDir, command })
  const port = new URL(server.url).port
  const front = (await options.before?.(server.url)) ?? { url: server.url, close: () => {} }
  const browser = await openBrowser()
  const contexts: BrowserContext[] = []
  const problems: string[] = []

  async function openContext(own: BrowserOptions): Promise<BrowserContext> {
    const context = await browser.newContext({
      baseURL: front.url,
      viewport: own.size ?? { width: 1440, height: 900 },
      colorScheme: own.theme ?? 'light',
      locale: own.language ?? 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      hasTouch: own.isTouch ?? false,
    })
    if (!own.hasWorker) await context.addInitScript('delete Navigator.prototype.serviceWorker')
    const { hasChanges = false, hasThisDay = false } = own
    await context.addInitScript(leaveOut, { hasChanges, hasThisDay })
    context.setDefaultTimeout(60_000)
    contexts.push(context)
    context.on('page', (page) => watch(page, front.url, problems))
    return context
  }

  const { token } = await signIn(server.url)
  const call = caller(server.url, token)
  const ids: string[] = []
  for (const { name, bytes, taken } of await madeUpPictures(options.files ?? 0)) {
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(bytes)]), name)
    form.set('content_datetime', taken)
    ids.push((await call<{ id: string }>('POST', '/files', form)).id)
  }

  const context = await openContext(options)
  const page = await context.newPage()
  if (options.isSignedIn !== false) {
    await page.goto('/')
    await enter(page)
  }
  return {
    url: front.url,
    dataDir,
    context,
    page,
    token,
    ids,
    call,
    problems,
    stranger: async (own = options) => (await openContext(own)).newPage(),
    async stopServer(signal) {
      await server.stop(signal)
    },
    async startServer() {
      server = await spawnServer({ env: { ...env, PORT: port }, dataDir, command })
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
      await closeBrowser()
      front.close()
      await server.stop()
      await rm(dataDir, { recursive: true })
      assert.deepEqual(problems, [])
    },
  }
}

/** Leaves out of the page what comes at any moment, or on some days of the year alone. */
function leaveOut({ hasChanges, hasThisDay }: { hasChanges: boolean; hasThisDay: boolean }): void {
  const send = globalThis.fetch
  globalThis.fetch = ((what, init) => {
    const { pathname } = new URL(what instanceof Request ? what.url : String(what), 'http://page')
    if (!hasChanges && pathname === '/api/v1/changes') return new Promise(() => {})
    if (!hasThisDay && pathname === '/api/v1/files/this-day') {
      return Promise.resolve(Response.json({ years: [] }))
    }
    return send(what, init)
  }) as typeof fetch
}

/** Signs a user in at the page's own screen. */
export async function enter(page: Page, name = 'admin', password = PASSWORD): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.shell').waitFor()
}

async function signIn(url: string): Promise<{ token: string }> {
  const body = { name: 'admin', password: PASSWORD }
  const answer = await caller(url)<{ access_token: string }>('POST', '/auth/login', body)
  return { token: answer.access_token }
}

function caller(url: string, token?: string) {
  return async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(!isForm && { 'Content-Type': 'application/json' }),
      },
      body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Body
  }
}

/** Writes down what a page may not do. */
function watch(page: Page, url: string, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // An answer that is an error is told by the page, and the console tells it again.
    if (message.type() === 'error' && !/^Failed to load resource/.test(text)) problems.push(text)
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    const isOwn = origin === url || protocol === 'data:' || protocol === 'blob:'
    if (!isOwn) problems.push(`asked another host: ${request.url()}`)
  })
}
