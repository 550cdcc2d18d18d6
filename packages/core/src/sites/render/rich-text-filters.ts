import { limits } from '@quire/contract'
import { isTooDeep, plainTextOf, sanitizeHtml } from '../../types/rich-text.ts'
import { htmlOfMarkdown } from './markdown.ts'
import type { PageFilter } from './page-filter.ts'
import { writtenText } from './page-emitter.ts'
import { safeHtml, type SafeHtml } from './safe-html.ts'

/** Filters for rich text: what they give is sanitized, so output does not escape it again. */
export const richTextFilters: Readonly<Record<string, PageFilter>> = {
  html: async (_run, value) => sanitized(writtenText(value)),
  markdown: async (_run, value) => sanitized(await htmlOfMarkdown(writtenText(value))),
  plain: (_run, value) => plainTextOf(writtenText(value)).replaceAll(/\s+/g, ' ').trim(),
}

async function sanitized(html: string): Promise<SafeHtml | ''> {
  if (html.length > limits.pageBytes) throw new Error('a rich text is longer than a page may be')
  if (isTooDeep(html)) throw new Error('a rich text is nested too deep')
  return safeHtml(await sanitizeHtml(html))
}
