import { type Browser, chromium } from 'playwright-core'
import { without } from '../media/media.ts'

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** For a test's `skip`: false when there is a Chromium, Debian's or that at CHROMIUM_PATH. */
export const withoutChromium = without(CHROMIUM, '--version') && 'needs Chromium'

let shared: Promise<Browser> | null = null

/** Returns the Chromium of this process, which all its tests share, each in contexts of its own; another when it has ended. */
export async function openBrowser(): Promise<Browser> {
  if (shared && (await shared).isConnected()) return shared
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({ executablePath: CHROMIUM, chromiumSandbox })
  // As root it can't have a sandbox of its own, and neither where the system gives no namespaces.
  shared = process.getuid?.() === 0 ? launch(false) : launch(true).catch(() => launch(false))
  return shared
}

/** Ends it on Node, which waits for its children; Bun ends it with the process. */
export async function closeBrowser(): Promise<void> {
  if ('Bun' in globalThis) return
  const browser = await shared
  shared = null
  await browser?.close()
}
