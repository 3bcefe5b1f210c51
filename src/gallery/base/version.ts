import { signal } from '@preact/signals'

/** Whether the server has another version than the one that made this page. */
export const isOutdated = signal(false)

/** Takes note of the version that an answer comes from. */
export function hearVersion(response: Response): void {
  const version = response.headers.get('tagstead-version')
  if (version !== null && version !== ownVersion()) isOutdated.value = true
}

/** Returns the path of this page's script, which is another one in each build of a version. */
export function ownScript(): string {
  // An extension of the browser may have added scripts of its own.
  return document.querySelector('script[src^="/web/assets/"]')!.getAttribute('src')!
}

/** Returns the version that this page was made by. */
export function ownVersion(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=version]')!.content
}
