import { QuireError } from '@quire/contract'
import type { Upstream } from './upstream.ts'

/** A place below an upstream. */
interface Placed {
  readonly path: string
  readonly query?: string | undefined
}

/**
 * The address of a path below an upstream's own, each part of it encoded; checked once more as it is parsed (TRUST S28).
 * Errors: `invalid` for one that leads elsewhere.
 */
export function upstreamUrl({ baseUrl }: Pick<Upstream, 'baseUrl'>, { path, query = '' }: Placed): string {
  const base = new URL(baseUrl)
  const pathname = `${base.pathname.replace(/\/+$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`
  const url = new URL(`${base.origin}${pathname}${query === '' ? '' : `?${query}`}`)
  if (url.origin !== base.origin || url.pathname !== pathname || url.hash !== '')
    throw new QuireError('invalid', 'path: leads out of the upstream', {
      issues: [{ path: 'path', message: 'leads out of the upstream' }],
    })
  return url.href
}
