/**
 * What the gallery's page may do: run its own scripts, and speak to this server alone. Pictures may
 * also be made in the page, as placeholders and covers of films are.
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

/** What the page may do that is sent when the gallery can't be built: show itself. */
export const PLAIN_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
