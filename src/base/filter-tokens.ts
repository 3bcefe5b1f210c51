const WITH_ID = /^[tcp]=[0-9a-f-]{36}$/i

/** Returns the tokens of a filter that `filterOfTokens` wrote. */
export function tokensOfFilter(filter: string): string[] {
  const inner = filter.slice(1, -1)
  return inner === '' ? [] : inner.split(',')
}

/** Returns a filter of tokens, in the form in which filters are stored. */
export function filterOfTokens(tokens: string[]): string {
  return `{${tokens.join(',')}}`
}

/** Returns a filter that is right in the form in which filters are stored: without spaces, ids in lower case. */
export function storedFilter(filter: string): string {
  const tokens = filter.trim().slice(1, -1).split(',')
  const trimmed = tokens.map((token) => token.trim())
  return filterOfTokens(trimmed.map((token) => (WITH_ID.test(token) ? token.toLowerCase() : token)))
}
