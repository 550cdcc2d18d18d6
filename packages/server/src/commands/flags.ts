import { InvalidArgumentError, Option } from 'commander'
import { logLevels } from '../log/levels.ts'

/** Whom requests go to beside the public. */
export const egressOption = () =>
  new Option(
    '--egress-allow <list>',
    'hosts (engine.internal:8080) and ranges (10.0.0.0/8) that requests may go to although they are not public',
  ).env('QUIRE_EGRESS_ALLOW')

/** How much is said. */
export const logOption = () =>
  new Option('--log <level>', 'how much is logged').env('QUIRE_LOG').choices(logLevels).default('info')

/** What derived pictures may take. Whoever sweeps has to know it as well. */
export const renditionCacheOption = () =>
  new Option(
    '--rendition-cache <bytes>',
    'room for pictures that are made of others, 0: none is kept (default: 4 GiB)',
  )
    .env('QUIRE_RENDITION_CACHE')
    .argParser(parseBytes)

/** Bytes of a disk. */
export function parseBytes(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Bytes are a whole number: 1073741824.')
}

/** An address of a service, without a trailing slash. */
export function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('An address begins with http:// or https://.')
}
