import type { Api } from '@quire/contract'

const configId = 'magazine'

/**
 * Corrects the English text of a translated article, and publishes it. Its German text stays as it
 * was, so that the demo has a translation that is outdated.
 */
export async function correctEnglish(api: Api): Promise<void> {
  const { id, fields } = await api.items.getBySlug({ configId, slug: 'the-deckle-edge' })
  const written = fields?.['body']
  const before = typeof written === 'string' ? written : ''
  const body = before.replace('two hundred sheets', 'a hundred and fifty sheets')
  await api.items.update({ configId, id, fields: { body } })
  await api.items.publish({ configId, id, locales: ['en', 'de'] })
}
