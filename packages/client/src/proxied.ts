import type { Proxied } from '@quire/contract'
import { proxiedHeadersOf } from '@quire/contract/tus'

/** What the upstream answered, read as it comes. */
export function proxiedOf(response: Response): Proxied {
  return {
    status: response.status,
    headers: proxiedHeadersOf((name) => response.headers.get(name)),
    stream: () => response.body ?? new Blob().stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
    // Not ky's, which is told to leave JSON as it is.
    json: async () => JSON.parse(await response.text()),
  }
}
