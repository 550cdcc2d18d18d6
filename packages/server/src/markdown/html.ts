import { marked } from 'marked'

/** Markdown (GitHub's) as HTML. What is unsafe in it the engine takes out when it saves. */
export function htmlOf(markdown: string): string {
  return marked.parse(markdown, { async: false, gfm: true }).trim()
}
