/**
 * The gallery's page may run its own scripts, and connect to this server alone. It may also make pictures, such as
 * placeholders and covers of films.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** For the page that is sent when the gallery can't be built: it may only show itself. */
export const PLAIN_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
