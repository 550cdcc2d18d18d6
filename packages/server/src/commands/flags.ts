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

/** An address of a service, without a trailing slash. */
export function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('An address begins with http:// or https://.')
}
