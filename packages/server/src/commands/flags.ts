import { InvalidArgumentError, Option } from 'commander'
import { logLevels } from '../log/levels.ts'

/** Non-public addresses that outgoing requests may reach. */
export const egressOption = () =>
  new Option(
    '--egress-allow <list>',
    'non-public hosts (engine.internal:8080) and ranges (10.0.0.0/8) that outgoing requests may reach',
  ).env('QUIRE_EGRESS_ALLOW')

export const logOption = () =>
  new Option('--log <level>', 'lowest level that is logged')
    .env('QUIRE_LOG')
    .choices(logLevels)
    .default('info')

/** Size of the cache for derived pictures. Workers that sweep blobs need the same value. */
export const renditionCacheOption = () =>
  new Option(
    '--rendition-cache <bytes>',
    'size of the cache for derived pictures, 0: no cache (default: 4 GiB)',
  )
    .env('QUIRE_RENDITION_CACHE')
    .argParser(parseBytes)

/** Parses a number of bytes. Errors: InvalidArgumentError. */
export function parseBytes(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number of bytes, such as 1073741824.')
}

/** Parses the address of a service and removes trailing slashes. Errors: InvalidArgumentError. */
export function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('An address must begin with http:// or https://.')
}

/** Parses JSON. Errors: InvalidArgumentError. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? `It is not JSON: ${error.message}` : '')
  }
}
