/**
 * Returns whether an If-None-Match header matches an entity tag (RFC 9110, section 13.1.2): in a
 * list, by `*`, as a weak tag or not.
 */
export function namesEtag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
