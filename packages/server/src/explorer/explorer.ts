import type { FastifyInstance, FastifyReply } from 'fastify'
import { commonHeaders } from '../http/send.ts'
import { openApiText } from './document-text.ts'
import { explorerPage, explorerScript } from './page.ts'
import { readAsset, type AssetName } from './assets.ts'

/** How the explorer is served. */
export interface ExplorerOptions {
  /** `public` serves it to everybody, `off` not at all. */
  readonly mode: 'public' | 'off'
  /** The public address of the service. */
  readonly baseUrl: string
}

/**
 * The page loads what stands here and nothing else, runs no inline script, and talks to this server alone. `'unsafe-inline'`
 * stands nowhere; images as `data:` are the icons in the style sheet.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const open = { public: true } as const

/** GET /api-docs and what it loads, /api-docs/openapi.json among it. Works without internet. */
export function addExplorer(app: FastifyInstance, { mode, baseUrl }: ExplorerOptions): void {
  if (mode === 'off') return
  app.get('/api-docs', { config: open }, (_request, reply) => {
    sendText(reply, { type: 'text/html', text: explorerPage })
  })
  app.get('/api-docs/', { config: open }, (_request, reply) =>
    reply.headers(commonHeaders).redirect('../api-docs', 308),
  )
  app.get('/api-docs/openapi.json', { config: open }, async (_request, reply) => {
    sendText(reply, { type: 'application/json', text: await openApiText(baseUrl) })
    return reply
  })
  app.get('/api-docs/start.js', { config: open }, (_request, reply) => {
    sendText(reply, { type: 'text/javascript', text: explorerScript(baseUrl) })
  })
  addAsset(app, { name: 'swagger-ui.css', type: 'text/css' })
  addAsset(app, { name: 'swagger-ui-bundle.js', type: 'text/javascript' })
}

interface Asset {
  readonly name: AssetName
  readonly type: string
}

function addAsset(app: FastifyInstance, { name, type }: Asset): void {
  app.get(`/api-docs/${name}`, { config: open }, async (_request, reply) => {
    sendText(reply, { type, text: await readAsset(name) })
    return reply
  })
}

function sendText(reply: FastifyReply, { type, text }: { type: string; text: string | Buffer }): void {
  void reply
    .headers(commonHeaders)
    .headers({
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
      'x-request-id': reply.request.id,
    })
    .send(text)
}
