import { createClient, isQuireError } from '@quire/client'

const parameters = new URLSearchParams(globalThis.location.search)
const token = parameters.get('token') ?? ''
const magazine = { configId: 'magazine' }

/**
 * Uses a service of another origin that allows this page, then one that does not, and one that is
 * not there.
 */
export async function run() {
  const quire = createClient({ baseUrl: parameters.get('service') ?? '', auth: { token } })
  const made = await quire.items.create({ repositoryId: 'magazine', type: 'article', name: 'From afar' })
  let etag: string | null = null
  await quire.items.get({ ...magazine, id: made.id }, { onAnswer: (info) => ({ etag } = info) })
  const changed = await quire.items.update(
    { ...magazine, id: made.id, name: 'Nearer' },
    { ifMatch: etag ?? '' },
  )
  const stale: unknown = await quire.items
    .update({ ...magazine, id: made.id, name: 'Late' }, { ifMatch: etag ?? '' })
    .catch((error: unknown) => error)
  const published = await createClient({ baseUrl: parameters.get('closed') ?? '' }).published.items(magazine)
  return {
    changed: changed.name,
    stale: isQuireError(stale) && [stale.status, typeof stale.requestId],
    published: published.count,
    refused: await failure(parameters.get('closed') ?? ''),
    absent: await failure(parameters.get('absent') ?? ''),
  }
}

async function failure(baseUrl: string): Promise<string> {
  const quire = createClient({ baseUrl, auth: { token }, retry: { backoffMs: 1 } })
  const error: unknown = await quire.items.list(magazine).catch((thrown: unknown) => thrown)
  return isQuireError(error) ? `${error.code}: ${error.message}` : String(error)
}
