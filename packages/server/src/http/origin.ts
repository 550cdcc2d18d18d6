import type { Origin } from '@quire/core'
import type { FastifyRequest } from 'fastify'
import { cookieOf } from '@quire/http/shared'

/** The origin of a request, and the raw values that signatures and uploads need. */
export function originOf({ ip, headers, signedText: body, server, caller }: FastifyRequest): Origin {
  const browser = headers.cookie === undefined ? undefined : cookieOf(headers.cookie, 'login')
  const uploadMetadata = headers['upload-metadata']?.toString()
  const meter = server.load.time.meterOf(caller)
  return {
    address: ip,
    meter,
    ...(browser !== undefined && { browser }),
    ...(body !== undefined && { body }),
    ...(uploadMetadata !== undefined && { uploadMetadata }),
  }
}
