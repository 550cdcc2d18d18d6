import { isBuiltin } from 'node:module'
import { describe, expect, it } from 'vitest'
import { type SourceFile, codeOf, packageOf, packageSources } from './source-tree.ts'

/**
 * The sources that may use the network, and why. Requests on behalf of users go through the port
 * `outbound`, and so through the first one.
 */
const adapters: Readonly<Record<string, string>> = {
  'packages/outbound-undici/src/': 'is the adapter of the port `outbound`',
  'packages/client/src/': 'calls the service from outside; the server uses it only in its commands',
  'packages/mcp/src/handler.ts': 'answers requests with a function of the SDK that is named `fetch`',
  'packages/server/src/explorer/graph-page.ts': 'is the text of a page: its script runs in the browser',
  'packages/server/src/sign-in/':
    'calls identity providers, which the operator configures and which may be internal; users cannot choose their address',
}

/** Modules that open connections or resolve names. */
const networkModules = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises', 'quic']

/** Their exports that only listen, or only parse texts. */
const harmless = ['createServer', 'isIP', 'isIPv4', 'isIPv6', 'BlockList', 'METHODS', 'STATUS_CODES']

/** HTTP clients and similar libraries. */
const clients = [
  'undici',
  'ky',
  'openid-client',
  'oauth4webapi',
  'tus-js-client',
  'ws',
  'eventsource',
  'axios',
  'got',
  'node-fetch',
  'cross-fetch',
  'ofetch',
  'superagent',
  'needle',
  'follow-redirects',
]

/** Ways to use the network without an import, or with an import from a more general library. */
const reaching =
  /\bfetch\b|\b(?:WebSocket|WebSocketStream|EventSource|XMLHttpRequest|WebTransport|RTCPeerConnection|sendBeacon|importScripts|createRemoteJWKSet|getBuiltinModule|createRequire)\b/

const shipped = packageSources.filter((file) => !file.isTest)

describe('the network', () => {
  it('is used only by the listed adapters', () => {
    const found = shipped.filter((file) => adapterOf(file) === undefined).flatMap(ways)
    expect(found).toEqual([])
  })

  it('is used by every listed adapter', () => {
    const used = new Set(shipped.filter((file) => ways(file).length > 0).map(adapterOf))
    expect(Object.keys(adapters).filter((adapter) => !used.has(adapter))).toEqual([])
  })

  it('is used through the client only by commands and by the console', () => {
    const users = shipped.filter(
      (file) =>
        file.home !== 'client' &&
        // A page in a browser, which talks to its own origin alone.
        file.home !== 'console' &&
        file.imports.some(({ specifier, typeOnly }) => !typeOnly && specifier === '@quire/client'),
    )
    const others = users.filter(({ path }) => !path.startsWith('packages/server/src/commands/'))
    expect(others.map(({ path }) => path)).toEqual([])
  })

  it.each([
    ["import { request } from 'node:http'", 1],
    ["import { createServer, get } from 'node:http'", 1],
    ["import { connect as open } from 'node:net'", 1],
    ["import net from 'node:net'", 1],
    ["import * as tls from 'tls'", 1],
    ["import { lookup } from 'node:dns/promises'", 1],
    ["import { Agent } from 'undici'", 1],
    ["const { Agent } = await import('undici')", 1],
    ["const http = await import('node:http')", 1],
    ["export { connect } from 'node:net'", 1],
    ["import {\n  createServer,\n  connect,\n} from 'node:net'", 1],
    ['await fetch(url)', 1],
    ['const send = globalThis.fetch', 1],
    ["new WebSocket('wss://a')", 1],
    ["import { createServer, isIP } from 'node:net'", 0],
    ["import type { Socket } from 'node:net'", 0],
    ["import { createServer, type AddressInfo } from 'node:net'", 0],
    ["import { type Options } from 'ky'", 0],
    ["const site = headers['sec-fetch-site']", 0],
    ['prefetched(url)', 0],
  ])('is recognized in %j', (text, count) => {
    expect(ways(sourceOf(text))).toHaveLength(count)
  })
})

function adapterOf({ path }: SourceFile): string | undefined {
  return Object.keys(adapters).find((adapter) => path.startsWith(adapter))
}

/** How a file uses the network. */
function ways(file: SourceFile): string[] {
  const calls = codeOf(file)
    .split('\n')
    .filter((line) => reaching.test(line))
  return [...importsOfNetwork(file.text), ...calls].map((way) => `${file.path}: ${way.trim()}`)
}

/** Imports, including dynamic ones, of exports that open connections. */
function importsOfNetwork(text: string): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^'";]*?)\s*(?:from\s*)?['"]([^'"]+)['"]/gm,
  )
  const dynamic = text.matchAll(/^(?!\s*(?:\*|\/\/)).*?(?<!typeof )\b(import\()\s*['"]([^'"]+)['"]/gm)
  return [...statements, ...dynamic]
    .filter(([, clause = '', specifier = '']) => opens(clause, specifier))
    .map(([whole]) => whole.replaceAll(/\s+/g, ' '))
}

function opens(clause: string, specifier: string): boolean {
  const isClient = clients.includes(packageOf(specifier))
  const isNetwork = isBuiltin(specifier) && networkModules.includes(specifier.replace(/^node:/, ''))
  if (!isClient && !isNetwork) return false
  const names = /^\{([^}]*)\}$/.exec(clause.trim())?.[1]
  if (names === undefined) return true
  const values = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
  return values.some((name) => isClient || !harmless.includes(name))
}

function sourceOf(text: string): SourceFile {
  return { path: 'packages/a/src/a.ts', home: 'a', text, imports: [], isTest: false, isGenerated: false }
}
