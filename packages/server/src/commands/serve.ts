import type { FastifyInstance } from 'fastify'
import { StoreUnavailable } from '@quire/core/ports'
import { ensureAdmin } from '../admin/admin-account.ts'
import { givenCredentials } from '../admin/credentials.ts'
import { consolePath } from '../console/console.ts'
import { isInstalled } from '../console/files.ts'
import { createServer, type ServerOptions } from '../http/server.ts'
import type { LogLevel } from '../log/levels.ts'
import { ratesOf, type CacheTagHeader } from '@quire/http'
import { createLog, type FlushableLog } from '../log/pino-log.ts'
import type { Served, ServedManagement } from '../management/serve-management.ts'
import { openQuire, type OpenedQuire } from '../open-quire.ts'
import { releaseStartMemory } from '../start-memory.ts'
import { maintenanceOf } from '../maintenance.ts'
import { allowedEgress } from './egress.ts'
import { signInConfig, warnOfMissingRoles } from './serve-sign-in.ts'
import type { SignInFlags } from './sign-in-flags.ts'
import { welcome } from './welcome.ts'
import { locationsOf, type StorageFlags, wrongCall } from './storage-flags.ts'
import { listenProblem, reservePort, type Location, type ReservedPort } from './reserve-port.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** Options of `quire serve`, parsed. */
export interface ServeOptions extends SignInFlags, StorageFlags {
  readonly port: number
  readonly host: string
  readonly managementPort?: number
  readonly managementHost: string
  readonly baseUrl?: string
  readonly trustProxy?: string
  readonly corsOrigin?: readonly string[]
  readonly corsPublished: '0' | '1'
  readonly console: 'on' | 'off'
  readonly explorer: 'public' | 'off'
  readonly cacheTags?: CacheTagHeader
  readonly compression: 'on' | 'off'
  readonly mcp: 'on' | 'off'
  readonly log: LogLevel
  readonly demo: '0' | '1'
  readonly minFree?: number
  readonly renditionCache?: number
  readonly egressAllow?: string
  readonly rateLimit: number
  readonly redirectDownloads: '0' | '1'
  readonly jobs: 'here' | 'elsewhere'
}

/**
 * Errors: OperatorError with exit code 2 when downloads should be redirected but there is no
 * bucket.
 */
function requireBucketForRedirects({ redirectDownloads, blobs }: ServeOptions): void {
  if (redirectDownloads === '1' && !blobs)
    throw wrongCall(
      '--redirect-downloads needs --blobs: files in a data folder have no address to redirect to.',
    )
}

/**
 * Serves until it is stopped (see `stopOnSignal`). Writes `{"event":"ready","url":…,"listening":…}`
 * to stdout once it accepts requests: the base URL, the address that it listens on, and that of the
 * management port if there is one.
 */
export async function serve(options: ServeOptions): Promise<void> {
  requireBucketForRedirects(options)
  const given = givenCredentials(process.env)
  const signIn = signInConfig(options, process.env)
  const egressAllow = allowedEgress(options)
  const reserved = await reservePort(options)
  const managed = await reserveManagement(options)
  const listening = `http://${hostInUrl(options.host)}:${reserved.port}`
  const url = options.baseUrl ?? listening
  const log = createLog(options.log)
  const opened = await openQuire({
    ...locationsOf(options),
    baseUrl: url,
    log,
    egressAllow,
    redirectDownloads: options.redirectDownloads === '1',
    jobs: options.jobs,
    ...signIn,
    ...(options.minFree !== undefined && { minFreeBytes: options.minFree }),
    ...(options.renditionCache !== undefined && { renditionCacheBytes: options.renditionCache }),
  })
  try {
    const admin = await ifWritable(opened, log, () => ensureAdmin(opened, given))
    await warnOfMissingRoles(opened, signIn.signIn?.newUserRoles ?? [], log)
    const app = createServer(serverOptions(options, { url, log, opened }))
    const loading = Promise.withResolvers<void>()
    const maintenance = maintenanceOf(opened.environment)
    app.addHook('onClose', async () => maintenance.end())
    const management = await beginManagement(options, managed, { app, opened })
    stopOnSignal({ log, stop: () => stopServing({ app, opened, management, loading: loading.promise }) })
    await app.ready()
    await reserved.release()
    await listen(app, { host: options.host, port: reserved.port })
    management?.begin()
    const ready = { event: 'ready', url, listening, ...addressOf(options, management) }
    process.stdout.write(`${JSON.stringify(ready)}\n`)
    maintenance.begin()
    opened.quire.work()
    releaseStartMemory(app.load)
    if (options.demo === '1' || process.stdout.isTTY)
      process.stdout.write(welcome({ url, admin, pages: pagesOf(options), path: await tryPath(opened) }))
    loading.resolve(options.demo === '1' ? showDemo(opened, log, hasConsole(options)) : undefined)
  } catch (error) {
    await opened.quire.close()
    throw error
  }
}

/**
 * Runs work that serving does not depend on. When the store cannot write at the moment, logs that
 * and returns null.
 */
async function ifWritable<T>(
  { folder }: OpenedQuire,
  log: FlushableLog,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (folder.isNew || !(error instanceof StoreUnavailable)) throw error
    log.write('error', 'store.unavailable', { message: error.message })
    return null
  }
}

interface Serving {
  readonly app: FastifyInstance
  readonly opened: OpenedQuire
  /** Closed last, so that it reports on the service until the end. */
  readonly management: Pick<ServedManagement, 'close'> | null
  /** Settles when the demo is loaded: a half-loaded demo would never be completed. */
  readonly loading: Promise<void>
}

/**
 * Stops accepting requests, finishes those under way (ten seconds at most, TRUST F08), returns
 * running jobs to the queue, and checkpoints the database.
 */
async function stopServing({ app, opened, management, loading }: Serving): Promise<void> {
  await app.close()
  await loading
  await opened.quire.close()
  await management?.close()
}

/** Reserves the management port. Null when the management is off. */
async function reserveManagement(options: ServeOptions): Promise<ReservedPort | null> {
  const { managementHost: host, managementPort: port } = options
  return port === undefined ? null : reservePort({ host, port, flags: 'management-' })
}

async function beginManagement(
  { managementHost: host }: ServeOptions,
  reserved: ReservedPort | null,
  served: Served,
): Promise<ServedManagement | null> {
  if (!reserved) return null
  const { serveManagement } = await import('../management/serve-management.ts')
  await reserved.release()
  return serveManagement({ host, port: reserved.port, flags: 'management-' }, served)
}

function addressOf({ managementHost }: ServeOptions, management: ServedManagement | null) {
  return management && { management: `http://${hostInUrl(managementHost)}:${management.port}` }
}

function hasConsole(options: ServeOptions): boolean {
  return options.console === 'on' && isInstalled()
}

/** The pages for people that are served. */
function pagesOf(options: ServeOptions): Readonly<Record<string, string>> {
  return {
    ...(hasConsole(options) && { Console: consolePath }),
    ...(options.explorer === 'public' && { Explorer: '/api-docs' }),
  }
}

/** The path of something readable that exists, or will exist once the demo is loaded. */
async function tryPath({ store, folder }: OpenedQuire): Promise<string> {
  const hasMagazine = folder.isNew || (await store.records.find('repository', 'name:magazine')) !== null
  return hasMagazine ? '/api/items/magazine/slug/ink-that-remembers' : '/api/content/management/repositories'
}

interface Started {
  readonly url: string
  readonly log: FlushableLog
  readonly opened: OpenedQuire
}

function serverOptions(options: ServeOptions, { url, log, opened }: Started): ServerOptions {
  return {
    quire: opened.quire,
    baseUrl: url,
    log,
    console: options.console,
    explorer: options.explorer,
    compression: options.compression === 'on',
    mcp: options.mcp === 'on' && {
      authorizationServers: opened.environment.trustedIssuers.map(({ issuer }) => issuer),
    },
    cacheTags: options.cacheTags,
    cors: { origins: options.corsOrigin ?? [], published: options.corsPublished === '1' },
    rates: ratesOf(options.rateLimit),
    ...(opened.peers && { peers: opened.peers }),
    ...(logsRequests(options.log) && { requestLog: log }),
    ...(options.trustProxy !== undefined && { trustProxy: options.trustProxy }),
  }
}

function logsRequests(level: LogLevel): boolean {
  return level === 'debug' || level === 'info'
}

// A listener on all addresses is reachable at 127.0.0.1. An IPv6 address goes in brackets (RFC 3986
// §3.2.2).
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function listen(app: FastifyInstance, location: Location): Promise<void> {
  try {
    await app.listen(location)
  } catch (error) {
    throw listenProblem(error, location)
  }
}

/** Loads the demo into a new folder, and prints where its site and its package are. */
async function showDemo(opened: OpenedQuire, log: FlushableLog, hasConsole: boolean): Promise<void> {
  try {
    if (opened.folder.isNew) {
      const { loadDemo } = await import('../demo/load-demo.ts')
      await loadDemo(opened, log)
    }
    const { demoLines } = await import('../demo/demo-lines.ts')
    process.stdout.write(await demoLines(opened.quire, { isTerminal: process.stdout.isTTY, hasConsole }))
  } catch (error) {
    log.write('error', 'demo.failed', { message: error instanceof Error ? error.message : String(error) })
  }
}
