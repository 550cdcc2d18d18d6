import type { Proxied } from '@quire/contract/api'
import { proxiedHeadersOf } from '@quire/contract/special-forms'

/** The response of the upstream, which can be read as it arrives. */
export function proxiedOf(response: Response): Proxied {
  return {
    status: response.status,
    headers: proxiedHeadersOf((name) => response.headers.get(name)),
    stream: () => response.body ?? new Blob().stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
    // Not `response.json()`: ky is configured to leave JSON as text.
    json: async () => JSON.parse(await response.text()),
  }
}
