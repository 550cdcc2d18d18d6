import type { Api } from '@quire/contract'

/** Options for composing a newsletter. */
export interface NewsletterOptions {
  readonly configId: string
  /** Only articles published at or after this time, in Unix milliseconds. */
  readonly since: number
}

/**
 * Composes a newsletter as plain text: every article published since then, newest first, with its
 * author. It uses only the API, so it works with an engine in the same process, with a remote
 * service, and in tests.
 */
export async function composeNewsletter(quire: Api, { configId, since }: NewsletterOptions): Promise<string> {
  const { count = 0, items } = await quire.items.list({
    configId,
    type: 'article',
    filter: { status: 'published', publishedDate: { gte: since } },
    sort: '-publishedDate',
    include: ['author'],
  })
  if (count === 0) return 'Nothing new.'
  const entries = items.map(({ name = '', slug = '', included }) => {
    const author = included?.['author']?.[0]?.name ?? 'the editors'
    return `${name}, by ${author}\n  /${slug}`
  })
  return [`${count} new ${count === 1 ? 'article' : 'articles'}`, ...entries].join('\n\n')
}
