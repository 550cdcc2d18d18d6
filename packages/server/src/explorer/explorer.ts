import { createHash } from 'node:crypto'
import { namesTag } from '@quire/contract/codec'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { commonHeaders } from '@quire/http/shared'
import { pagePolicy } from '../http/page-policy.ts'
import { once } from '../once.ts'
import { openApiText } from './document-text.ts'
import { graphPage, graphScript } from './graph-page.ts'
import { explorerPage, explorerScript } from './page.ts'
import { graphFiles, readAsset, swaggerFiles, type AssetName } from './assets.ts'

/** How the explorer is served. */
export interface ExplorerOptions {
  /** `public` serves it to everybody, `off` not at all. */
  readonly mode: 'public' | 'off'
  /** The public address of the service. */
  readonly baseUrl: string
}

/** `'unsafe-inline'` is not allowed anywhere. */
const contentSecurityPolicy = pagePolicy("style-src 'self'", "base-uri 'none'")

/**
 * The editor of GraphiQL inserts its style sheets into the page and runs its checks in workers.
 * Inline scripts are still not allowed.
 */
const graphPolicy = pagePolicy(
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "worker-src 'self'",
  "base-uri 'none'",
)

const open = { public: true } as const

/** Public and never changes while the process runs: read once and compressed once. */
const fixed = { ...open, isFixed: true } as const

/**
 * Serves /api-docs and the files it loads, including /api-docs/openapi.json, and the explorer of
 * each graph. They need nothing from the internet.
 */
export function addExplorer(app: FastifyInstance, { mode, baseUrl }: ExplorerOptions): void {
  if (mode === 'off') return
  app.get('/api-docs', { config: open }, (_request, reply) => {
    sendText(reply, { type: 'text/html', text: explorerPage })
  })
  app.get('/api-docs/', { config: open }, (_request, reply) =>
    reply.headers(commonHeaders).redirect('../api-docs', 308),
  )
  addDocument(app, baseUrl)
  app.get('/api-docs/start.js', { config: open }, (_request, reply) => {
    sendText(reply, { type: 'text/javascript', text: explorerScript(baseUrl) })
  })
  addAssets(app, { files: swaggerFiles, folder: '/api-docs', policy: contentSecurityPolicy })
  addGraphExplorer(app)
}

/**
 * Serves /api-docs/openapi.json. The document is public and stays the same while the process runs,
 * so it is built once.
 */
function addDocument(app: FastifyInstance, baseUrl: string): void {
  const document = once(async () => {
    const bytes = Buffer.from(await openApiText(baseUrl))
    return { bytes, tag: createHash('sha256').update(bytes).digest('base64url') }
  })
  app.get(
    '/api-docs/openapi.json',
    { config: { ...fixed, everyOrigin: true } },
    async ({ headers }, reply) => {
      const { bytes, tag } = await document()
      const isHeld = namesTag(headers['if-none-match'], tag)
      void reply.code(isHeld ? 304 : 200).header('etag', `"${tag}"`)
      sendText(reply, { type: 'application/json', text: isHeld ? '' : bytes })
      return reply
    },
  )
}

/**
 * Serves /api-docs/graphql/{configId} and the files it loads. The page reveals nothing about the
 * repository, not even whether it exists: that is up to the graph.
 */
function addGraphExplorer(app: FastifyInstance): void {
  const policy = graphPolicy
  app.get('/api-docs/graphql/:configId', { config: open }, (_request, reply) => {
    sendText(reply, { type: 'text/html', text: graphPage, policy })
  })
  app.get('/api-docs/graphiql/start.js', { config: open }, (_request, reply) => {
    sendText(reply, { type: 'text/javascript', text: graphScript, policy })
  })
  addAssets(app, { files: graphFiles, folder: '/api-docs/graphiql', policy })
}

interface Assets {
  /** Types by name. */
  readonly files: Readonly<Partial<Record<AssetName, string>>>
  /** The path that the files are served below. */
  readonly folder: string
  readonly policy: string
}

function addAssets(app: FastifyInstance, { files, folder, policy }: Assets): void {
  for (const [name, type] of Object.entries(files) as [AssetName, string][]) {
    const read = once(() => readAsset(name))
    app.get(`${folder}/${name}`, { config: fixed }, async (_request, reply) => {
      sendText(reply, { type, text: await read(), policy })
      return reply
    })
  }
}

interface Text {
  readonly type: string
  readonly text: string | Buffer
  /** Default: a policy without inline scripts and inline styles. */
  readonly policy?: string
}

function sendText(reply: FastifyReply, { type, text, policy = contentSecurityPolicy }: Text): void {
  void reply
    .headers(commonHeaders)
    .headers({
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      'x-request-id': reply.request.id,
    })
    .send(text)
}
