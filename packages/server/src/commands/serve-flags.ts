import { isIP } from 'node:net'
import { createCors } from '@quire/contract/codec'
import { cacheTagHeaders } from '@quire/http/shared'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { egressOption, logOption, parseBytes, parseUrl, renditionCacheOption } from './flags.ts'

/** Adds the flags of `quire serve` for listening, limits and features. */
export function addServeFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--port <number>', 'port; 0 picks a free one')
        // Hosts that choose the port say so in PORT.
        .env(process.env['QUIRE_PORT'] === undefined && process.env['PORT'] ? 'PORT' : 'QUIRE_PORT')
        .default(3000)
        .argParser(parsePort),
    )
    .addOption(new Option('--host <address>', 'address to listen on').env('QUIRE_HOST').default('127.0.0.1'))
    .addOption(
      new Option('--management-port <number>', 'port of /metrics, /livez and /readyz; 0 picks a free one')
        .env('QUIRE_MANAGEMENT_PORT')
        .argParser(parsePort),
    )
    .addOption(
      new Option('--management-host <address>', 'address that the management port listens on')
        .env('QUIRE_MANAGEMENT_HOST')
        .default('127.0.0.1'),
    )
    .addOption(
      new Option('--base-url <url>', 'public address of the service')
        .env('QUIRE_BASE_URL')
        .argParser(parseUrl),
    )
    .addOption(
      new Option('--trust-proxy <list>', 'proxies whose X-Forwarded-For is trusted')
        .env('QUIRE_TRUST_PROXY')
        .argParser(parseProxies),
    )
    .addOption(
      new Option('--cors-origin <list>', 'origins whose pages may call the service with a token')
        .env('QUIRE_CORS_ORIGIN')
        .argParser(parseOrigins),
    )
    .addOption(
      new Option('--cors-published <0|1>', 'whether pages of every origin may read published content')
        .env('QUIRE_CORS_PUBLISHED')
        .choices(['0', '1'])
        .default('1'),
    )
    .addOption(
      new Option(
        '--rate-limit <number>',
        'requests per second of one account, 0: no limit; callers without a token get a fifth',
      )
        .env('QUIRE_RATE_LIMIT')
        .default(100)
        .argParser(parseRate),
    )
    .addOption(
      new Option('--console <mode>', 'serve the page of @quire/console at /console/, if it is installed')
        .env('QUIRE_CONSOLE')
        .choices(['on', 'off'])
        .default('on'),
    )
    .addOption(
      new Option('--explorer <mode>', 'serve /api-docs to everybody, or not at all')
        .env('QUIRE_EXPLORER')
        .choices(['public', 'off'])
        .default('public'),
    )
    .addOption(
      new Option(
        '--cache-tags <header>',
        'send the cache tags of public responses in this header, for a cache that CACHE_TAGS_PURGED purges',
      )
        .env('QUIRE_CACHE_TAGS')
        .choices(cacheTagHeaders),
    )
    .addOption(
      new Option('--mcp <mode>', 'serve the Model Context Protocol, for agents, at /api/mcp')
        .env('QUIRE_MCP')
        .choices(['on', 'off'])
        .default('on'),
    )
    .addOption(
      new Option('--compression <mode>', 'compress responses, or leave it to a proxy')
        .env('QUIRE_COMPRESSION')
        .choices(['on', 'off'])
        .default('on'),
    )
    .addOption(
      new Option(
        '--min-free <bytes>',
        'free bytes that uploads leave on the disk (default: 1 GiB, at most 5 % of the disk)',
      )
        .env('QUIRE_MIN_FREE')
        .argParser(parseBytes),
    )
    .addOption(renditionCacheOption())
    .addOption(
      new Option(
        '--redirect-downloads <0|1>',
        'redirect downloads above 1 MiB to the bucket, with an address that is valid for five minutes',
      )
        .env('QUIRE_REDIRECT_DOWNLOADS')
        .choices(['0', '1'])
        .default('0'),
    )
    .addOption(
      new Option('--jobs <where>', 'where the jobs of the queue run: in this process, or in workers')
        .env('QUIRE_JOBS')
        .choices(['here', 'elsewhere'])
        .default('here'),
    )
    .addOption(egressOption())
    .addOption(logOption())
    .addOption(
      new Option('--demo [0|1]', 'load the demo into a new data folder; never into a database')
        .env('QUIRE_DEMO')
        .choices(['0', '1'])
        .preset('1')
        .default('0'),
    )
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('A port must be a number from 0 to 65535.')
}

function parseOrigins(text: string): readonly string[] {
  const origins = text.split(',').map((origin) => origin.trim())
  try {
    createCors({ origins })
    return origins
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}

function parseRate(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A rate must be a whole number, such as 100.')
}

function parseProxies(text: string): string {
  const isRange = (range: string) => {
    const [address = '', bits, ...more] = range.split('/')
    const family = isIP(address)
    const mostBits = family === 4 ? 32 : 128
    return (
      family > 0 &&
      more.length === 0 &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= mostBits))
    )
  }
  const ranges = text.split(',').map((range) => range.trim())
  if (ranges.every(isRange)) return ranges.join(',')
  throw new InvalidArgumentError('A proxy must be an address or a range, such as 10.0.0.0/8,::1.')
}
