/**
 * The policy of a page of this service for people: it loads only scripts of this service, runs none
 * inline, talks to this service only, and nobody frames it. `data:` images are the icons in style
 * sheets. The directives are those that pages differ in.
 */
export function pagePolicy(...directives: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ...directives,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
