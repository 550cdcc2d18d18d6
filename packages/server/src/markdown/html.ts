import { marked } from 'marked'

/**
 * Converts GitHub-flavored Markdown to HTML. It is not sanitized: the engine does that when it
 * saves.
 */
export function htmlOf(markdown: string): string {
  return marked.parse(markdown, { async: false, gfm: true }).trim()
}
