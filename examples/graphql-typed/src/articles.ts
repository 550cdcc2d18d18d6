import type { Ask } from './ask.ts'
import {
  ArticleBySlugDocument,
  ArticlePageDocument,
  CreateArticleDocument,
  NewestArticlesDocument,
  UpdateArticleDocument,
  type Article_Fields,
  type Article_Filter,
  type ArticlePageQuery,
  type CardFragment,
} from './generated/magazine.ts'

/** The latest published articles, newest first. */
export async function newestArticles(ask: Ask, limit: number): Promise<readonly CardFragment[]> {
  const { articles } = await ask(NewestArticlesDocument, { limit })
  return articles.items
}

/** The slugs of the articles that match a filter. Each page is requested when it is needed. */
export async function* articlesWhere(ask: Ask, filter: Article_Filter, limit = 100) {
  let cursor: string | null = null
  do {
    const { articles }: ArticlePageQuery = await ask(ArticlePageDocument, { filter, limit, cursor })
    yield* articles.items
    cursor = articles.nextCursor
  } while (cursor !== null)
}

/** An article as an author submits it. */
export interface Draft {
  readonly slug: string
  readonly fields: Article_Fields & { readonly title: string }
}

/**
 * Updates the article with a slug, or creates it if there is none. Errors: AskError, with
 * `version_conflict` if somebody else has changed it.
 */
export async function saveDraft(ask: Ask, { slug, fields }: Draft) {
  const { article } = await ask(ArticleBySlugDocument, { slug })
  if (article === null) {
    const { createArticle } = await ask(CreateArticleDocument, {
      input: { name: fields.title, slug, fields },
    })
    return createArticle
  }
  const { id, currentVersion: baseVersion } = article
  const { updateArticle } = await ask(UpdateArticleDocument, { id, input: { baseVersion, fields } })
  return updateArticle
}
