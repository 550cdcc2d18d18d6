import { untilAccepted } from './until-accepted.ts'

/** The administrator that is created from the environment when a test server first starts. */
export const administrator = {
  id: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X',
  secret: 'administrator-of-the-drivers-0123456789',
} as const

/** The environment of a server that is empty except for the administrator. */
export const administratorEnv = {
  QUIRE_DEMO: '0',
  QUIRE_RATE_LIMIT: '0',
  QUIRE_ADMIN_CLIENT_ID: administrator.id,
  QUIRE_ADMIN_CLIENT_SECRET: administrator.secret,
} as const

/**
 * A token for the administrator, or for the given account. Errors: the answer of the token
 * endpoint.
 */
export async function administratorToken(
  url: string,
  { id, secret }: { id: string; secret: string } = administrator,
): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const response = await untilAccepted(() =>
    fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(body) }),
  )
  const text = await response.text()
  if (!response.ok) throw new Error(`no token: ${response.status} ${text}`)
  const { access_token: token }: { access_token: string } = JSON.parse(text)
  return token
}

/**
 * One JSON call for setup or inspection. Retries while the server is overloaded. Errors: any status
 * but 2xx.
 */
export async function callApi<T>(
  { url, token }: { url: string; token: string },
  method: string,
  { path, body }: { path: string; body?: unknown },
): Promise<T> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await untilAccepted(() => fetch(`${url}${path}`, init))
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}
