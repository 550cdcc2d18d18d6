import { Option, type Command } from 'commander'
import { parseUrl } from './flags.ts'
import type { McpCommandOptions } from './mcp.ts'
import type { TokenOptions } from './token.ts'

const serviceOption = () =>
  new Option('--url <url>', 'the service')
    .env('QUIRE_URL')
    .default('http://127.0.0.1:3000')
    .argParser(parseUrl)

/** Adds `quire token`. */
export function addToken(quire: Command): void {
  quire
    .command('token')
    .description('print an access token of a running service')
    .addOption(serviceOption())
    .addOption(
      new Option('--data <folder>', 'data folder whose admin.json is used without --client-id')
        .env('QUIRE_DATA')
        .default('./.quire'),
    )
    .addOption(new Option('--client-id <id>', 'service account').env('QUIRE_CLIENT_ID'))
    .addOption(new Option('--client-secret <secret>', 'its secret').env('QUIRE_CLIENT_SECRET'))
    .action(async (options: TokenOptions) => {
      const { printToken } = await import('./token.ts')
      await printToken(options)
    })
}

/** Adds `quire mcp`. */
export function addMcp(quire: Command): void {
  quire
    .command('mcp')
    .description('let an agent work in packages: the Model Context Protocol on standard input and output')
    .addOption(serviceOption())
    .addOption(new Option('--client-id <id>', 'service account of the agent').env('QUIRE_CLIENT_ID'))
    .addOption(new Option('--client-secret <secret>', 'its secret').env('QUIRE_CLIENT_SECRET'))
    .action(async (options: McpCommandOptions) => {
      const { serveAgent } = await import('./mcp.ts')
      await serveAgent(options)
    })
}
