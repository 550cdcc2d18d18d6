/** The target of a request. */
export interface Target {
  /** Scheme, host and port, as `URL` writes them. */
  readonly origin: string
  readonly isSecure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Path with query. */
  readonly path: string
}

/** The target of a valid http or https URL. */
export function targetOf(url: string): Target {
  const { origin, protocol, hostname, port, pathname, search } = new URL(url)
  const isSecure = protocol === 'https:'
  const defaultPort = isSecure ? 443 : 80
  return {
    origin,
    isSecure,
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? defaultPort : Number(port),
    path: `${pathname}${search}`,
  }
}
