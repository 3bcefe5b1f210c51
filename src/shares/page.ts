/** What a browser shows at the address of a link. */
export const LINK_PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="robots" content="noindex">
  <title>Tagstead</title>
  <h1>Pictures that somebody shows you</h1>
</html>
`

/** The page of a link may load what the link shows, and nothing else. */
export const LINK_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
