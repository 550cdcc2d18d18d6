import type { WorkflowConnectionRecord } from '../ports/index.ts'

/**
 * Where the next action is posted, as a whole address; null when it is none, or not on the origin of the connection or one that it allows: what we
 * post carries the connection's credentials (TRUST S01, finding 9).
 */
export function actionUrl(
  { baseUrl, allowedOrigins }: Pick<WorkflowConnectionRecord, 'baseUrl' | 'allowedOrigins'>,
  url: string,
): string | null {
  const base = URL.parse(baseUrl)
  const parsed = URL.parse(url, baseUrl)
  if (!base || !parsed || parsed.username !== '' || parsed.password !== '') return null
  // A blob: address has the origin of the one that stands within it.
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return null
  return parsed.origin === base.origin || allowedOrigins.includes(parsed.origin) ? parsed.href : null
}
