import type { Article } from './content.ts'

/** The page that lists all articles. */
export function homePage(articles: readonly Article[]): string {
  const links = articles.map(({ slug, title }) => `<li><a href="/${slug}">${escapeHtml(title)}</a></li>`)
  return page('The Magazine', `<ul>${links.join('')}</ul>`)
}

/** The page of one article. Its body is HTML that the engine sanitized when it was saved. */
export function articlePage({ title, body }: Article): string {
  return page(title, body)
}

function page(title: string, content: string): string {
  const heading = escapeHtml(title)
  return `<!doctype html><meta charset="utf-8"><title>${heading}</title><h1>${heading}</h1>${content}`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
