import type { Permission } from '@quire/contract'
import type { Route } from '@quire/contract/codec'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The permission that the caller needs; `run` checks it. A valid token is required in any case.
     */
    permission?: Exclude<Permission, 'public'>
    /** The route answers without a token. */
    public?: true
    /** The endpoint of the contract behind the route. */
    contractRoute?: Route
    /** Pages of every origin may read the response: see `CorsOptions.published`. */
    everyOrigin?: boolean
    /** The route answers even under overload and while the server stops. */
    always?: true
  }
}

/** The access declaration of a route: exactly one of the two. */
export function declaredAccess(
  permission: Permission,
): { permission: Exclude<Permission, 'public'> } | { public: true } {
  return permission === 'public' ? { public: true } : { permission }
}

/** Fails the start when a route does not declare who may call it (TRUST S05). */
export function requireDeclaredAccess(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.permission !== undefined || config?.public === true) return
    throw new Error(`${String(method)} ${url} declares neither config.permission nor config.public`)
  })
}
