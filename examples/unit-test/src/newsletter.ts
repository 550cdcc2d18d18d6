import type { Api } from '@quire/contract'

/** What a newsletter is made of. */
export interface NewsletterOptions {
  readonly configId: string
  /** Only what was published from this time on, Unix milliseconds. */
  readonly since: number
}

/**
 * A newsletter as plain text: every article published since, newest first, with its author. Written against the API alone, so it
 * works on an engine in the same process, on a remote service, and in tests.
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
