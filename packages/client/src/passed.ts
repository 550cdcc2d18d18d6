import type { Passed } from '@quire/contract'
import { passedHeadersOf } from '@quire/contract/tus'

/** What the upstream answered, read as it comes. */
export function passedOf(response: Response): Passed {
  return {
    status: response.status,
    headers: passedHeadersOf((name) => response.headers.get(name)),
    stream: () => response.body ?? new Blob().stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
    // Not ky's, which is told to leave JSON as it is.
    json: async () => JSON.parse(await response.text()),
  }
}
