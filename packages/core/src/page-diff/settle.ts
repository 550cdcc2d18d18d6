import { readPage, writePage } from './read-page.ts'
import { type Parse5, textNode, textOf } from './tree.ts'

/** What is written may hold two pages, each with as much of marks again: it is read within their bounds together. */
const BOTH_MARKED = 8

/** Whether a text is a page that stays as it is when it is read and written again: what browsers make of it is what was checked. */
export function isSettled(parse5: Parse5, text: string): boolean {
  return writePage(parse5, readPage(parse5, text, BOTH_MARKED)) === text
}

/** Readings until a text stays as it is. Almost all do after two; the depth of elements in each other bounds the others. */
const MOST_READINGS = 8

/** The page that a text is, in words that stay as they are. What never settles becomes its text without elements. */
export function settle(parse5: Parse5, text: string): string {
  let settled = text
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const next = writePage(parse5, readPage(parse5, settled, BOTH_MARKED))
    if (next === settled) return settled
    settled = next
  }
  return plainPage(parse5, settled)
}

function plainPage(parse5: Parse5, text: string): string {
  const { html } = readPage(parse5, '')
  const { head, body } = readPage(parse5, text, BOTH_MARKED)
  const content = textNode(textOf(body.childNodes).replaceAll('\0', '').trim())
  return writePage(parse5, {
    isQuirky: false,
    html,
    head: { ...head, attrs: [], childNodes: [] },
    body: { ...body, attrs: [], childNodes: [content] },
  })
}
