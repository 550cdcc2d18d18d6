import { isBuiltin } from 'node:module'
import { describe, expect, it } from 'vitest'
import { type SourceFile, codeOf, packageOf, packageSources } from './source-tree.ts'

/** Who may speak to the network, and why. What stands for users goes through the port `outbound`, and by it through the first. */
const adapters: Readonly<Record<string, string>> = {
  'packages/outbound-undici/src/': 'is the door: the adapter of the port `outbound`',
  'packages/client/src/':
    'calls the service from outside, for whoever runs it; the server has it for its commands alone',
  'packages/server/src/sign-in/':
    'asks identity providers, which the operator names at the start and which may be internal: no user names an address there',
}

/** Modules that open connections or look names up. */
const networkModules = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises', 'quic']

/** What these hold that listens, or only looks at a text. */
const harmless = ['createServer', 'isIP', 'isIPv4', 'isIPv6', 'BlockList', 'METHODS', 'STATUS_CODES']

/** Clients of HTTP and its kin. */
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

/** What reaches the network without an import, or by one of a library that does more. */
const reaching =
  /\bfetch\b|\b(?:WebSocket|WebSocketStream|EventSource|XMLHttpRequest|WebTransport|RTCPeerConnection|sendBeacon|importScripts|createRemoteJWKSet|getBuiltinModule|createRequire)\b/

const shipped = packageSources.filter((file) => !file.isTest)

describe('the network', () => {
  it('has one door: nothing else opens a connection', () => {
    const found = shipped.filter((file) => adapterOf(file) === undefined).flatMap(ways)
    expect(found).toEqual([])
  })

  it('has no other door that is not used', () => {
    const used = new Set(shipped.filter((file) => ways(file).length > 0).map(adapterOf))
    expect(Object.keys(adapters).filter((adapter) => !used.has(adapter))).toEqual([])
  })

  it('is reached by the client for the commands alone', () => {
    const users = shipped.filter(
      (file) =>
        file.home !== 'client' &&
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
  ])('would see %j', (text, count) => {
    expect(ways(sourceOf(text))).toHaveLength(count)
  })
})

function adapterOf({ path }: SourceFile): string | undefined {
  return Object.keys(adapters).find((adapter) => path.startsWith(adapter))
}

/** How a file reaches the network. */
function ways(file: SourceFile): string[] {
  const calls = codeOf(file)
    .split('\n')
    .filter((line) => reaching.test(line))
  return [...importsOfNetwork(file.text), ...calls].map((way) => `${file.path}: ${way.trim()}`)
}

/** Imports, also dynamic ones, of something that opens connections. */
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
