import type { Permission } from '@quire/contract'
import type { Route } from '@quire/contract/codec'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller must hold; `run` checks it. A valid token is asked for in any case. */
    permission?: Exclude<Permission, 'public'>
    /** The route answers without a token. */
    public?: true
    /** The endpoint of the contract behind the route. */
    contractRoute?: Route
    /** The route answers however busy the server is, and while it stops. */
    always?: true
  }
}

/** What a route says of its access: one of the two, never neither. */
export function declaredAccess(
  permission: Permission,
): { permission: Exclude<Permission, 'public'> } | { public: true } {
  return permission === 'public' ? { public: true } : { permission }
}

/** Refuses to start with a route that does not say who may call it (TRUST S05). */
export function requireDeclaredAccess(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.permission !== undefined || config?.public === true) return
    throw new Error(`${String(method)} ${url} declares neither config.permission nor config.public`)
  })
}
