import { parseSetCookie } from 'cookie'

/**
 * As much of a browser as signing in needs: cookies for each origin, and redirects that are not
 * followed automatically.
 */
export interface Browser {
  /** Requests a page. */
  visit(url: string, init?: RequestInit): Promise<Response>
  /** The value of a cookie for an origin. */
  cookie(origin: string, name: string): string | undefined
  /** Restores an earlier cookie. */
  retain(origin: string, cookie: { name: string; value: string }): void
}

export function openBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  return {
    visit: async (url, init = {}) => {
      const jar = jarOf(new URL(url).origin)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { accept: 'text/html', ...(cookie && { cookie }), ...(init.headers as object) }
      const response = await fetch(url, { ...init, headers, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) take(jar, line)
      return response
    },
    cookie: (origin, name) => jarOf(origin).get(name),
    retain: (origin, { name, value }) => void jarOf(origin).set(name, value),
  }
}

function take(jar: Map<string, string>, line: string): void {
  const { name, value = '', maxAge, expires } = parseSetCookie(line)
  const isOver = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now())
  if (isOver) jar.delete(name)
  else jar.set(name, value)
}
