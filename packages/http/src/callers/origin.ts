import type { Origin } from '@quire/core'
import { cookieOf, type HeaderOf } from './authentication.ts'

/** Where a request comes from, besides its headers. */
export interface Sent extends Pick<Origin, 'meter'> {
  readonly address: string | undefined
  /** The raw text of a signed body. */
  readonly signedText: string | undefined
}

/** The origin of a request, and the raw values that signatures and uploads need. */
export function originOf(header: HeaderOf, { address, meter, signedText: body }: Sent): Origin {
  const cookie = header('cookie') ?? undefined
  const browser = cookie === undefined ? undefined : cookieOf(cookie, 'login')
  const uploadMetadata = header('upload-metadata') ?? undefined
  return {
    ...(address !== undefined && { address }),
    ...(meter && { meter }),
    ...(browser !== undefined && { browser }),
    ...(body !== undefined && { body }),
    ...(uploadMetadata !== undefined && { uploadMetadata }),
  }
}
