/**
 * A test for the origins of a list: exact ones, and those with `*` in place of the first label of
 * the host. It takes an origin as browsers and parsed URLs write it. Errors: TypeError for one that is none.
 */
export function originMatcher(origins: readonly string[]): (origin: string) => boolean {
  const exact = new Set(origins.filter((origin) => !origin.includes('*')).map(parseOrigin))
  const matchers = origins.filter((origin) => origin.includes('*')).map(matcherOf)
  return (origin) => exact.has(origin) || matchers.some((matches) => matches(origin))
}

/** Why a text is not an origin of the web for `originMatcher`; null when it is one. */
export function webOriginProblem(text: string): string | null {
  try {
    originMatcher([text])
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
  // Without a host that can be parsed, the asterisk could stand for a part of an address.
  const isWeb = /^https?:\/\//i.test(text) && URL.canParse(text.replace('*', 'label'))
  return isWeb
    ? null
    : `"${text}" is not an origin of the web: write https:// or http://, a host and, if needed, a port.`
}

const origin = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/** An origin in the form in which browsers send it. Errors: TypeError. */
function parseOrigin(text: string): string {
  const sent = text.toLowerCase()
  // The default port is left out by browsers.
  const parsed = URL.canParse(sent) ? new URL(sent).origin : 'null'
  if (origin.test(sent)) return parsed === 'null' ? sent : parsed
  throw new TypeError(
    `"${text}" is not an origin: write a scheme, a host and, if it is not the default, a port, as in https://www.example.org.`,
  )
}

/** A test for the origins that have one label in place of the asterisk. Errors: TypeError. */
function matcherOf(text: string): (origin: string) => boolean {
  const [scheme = '', rest, ...more] = text.split('://*.')
  if (rest === undefined || more.length > 0 || rest.includes('*') || !rest.includes('.'))
    throw new TypeError(
      `"${text}" is not an origin: an asterisk stands for the first label of a host, as in https://*.example.org.`,
    )
  const parsed = parseOrigin(`${scheme}://label.${rest}`)
  const before = parsed.slice(0, parsed.indexOf('://') + '://'.length)
  const after = parsed.slice(before.length + 'label'.length)
  return (origin) =>
    origin.startsWith(before) &&
    origin.endsWith(after) &&
    /^[a-z0-9_-]+$/.test(origin.slice(before.length, -after.length))
}
