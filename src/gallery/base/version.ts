import { signal } from '@preact/signals'

/** Whether the server's version differs from the one that made this page. */
export const isOutdated = signal(false)

/** Records the version that an answer comes from. */
export function hearVersion(response: Response): void {
  const version = response.headers.get('tagstead-version')
  if (version !== null && version !== ownVersion()) isOutdated.value = true
}

/** Returns the path of this page's script, which differs in each build of a version. */
export function ownScript(): string {
  // A browser extension may have added scripts of its own.
  return document.querySelector('script[src^="/web/assets/"]')!.getAttribute('src')!
}

/** Returns the version that made this page. */
export function ownVersion(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=version]')!.content
}
