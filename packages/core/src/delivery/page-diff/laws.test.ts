import fc from 'fast-check'
import * as parse5 from 'parse5'
import { describe, expect, it } from 'vitest'
import { highlightDifferences } from './highlight-differences.ts'
import { type Element, type Node, attributeOf, isElement, isText } from './read-page.ts'

const runs = { numRuns: 300 }

const word = fc.constantFrom(
  'one',
  'two',
  'three',
  'four',
  'été',
  '苹果',
  '香蕉',
  'ไทย',
  '👩‍👧',
  '.',
  '-',
  '&',
  '<',
)
const blank = fc.constantFrom('', ' ', '\n  ')
const text = fc
  .array(fc.tuple(word, blank), { maxLength: 6 })
  .map((parts) => escapedText(parts.flat().join('')))
const inlineTag = fc.constantFrom('b', 'i', 'span', 'code', 'a href="/x"', 'a href="/y"')
const blockTag = fc.constantFrom('div', 'section', 'p', 'h2', 'blockquote', 'pre')

const phrase = fc.oneof(
  text,
  fc.tuple(inlineTag, text).map(([tag, inner]) => elementText(tag, inner)),
  fc.constantFrom(
    '<img src="a.png" alt="a">',
    '<img src="b.png" alt="a">',
    '<br>',
    '<svg><circle r="1"/></svg>',
  ),
)
const phrases = fc.array(phrase, { maxLength: 5 }).map((parts) => parts.join(''))
const table = fc
  .array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map(
    (rows) =>
      `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</table>`,
  )
const list = fc
  .array(phrases, { maxLength: 4 })
  .map((entries) => `<ul>${entries.map((entry) => `<li>${entry}</li>`).join('\n')}</ul>`)
const leaf = fc.oneof(
  fc.tuple(blockTag, phrases).map(([tag, inner]) => elementText(tag, inner)),
  table,
  list,
)
const blocks = fc.array(leaf, { maxLength: 6 })
const page = fc
  .tuple(blocks, blocks)
  .map(([first, second]) => pageOf(`${first.join('\n')}<main>${second.join('')}</main>`))

/** Two pages with blocks in common. */
const edited = fc
  .array(fc.tuple(leaf, leaf, fc.constantFrom('keep', 'keep', 'change', 'drop', 'add')), { maxLength: 8 })
  .map((parts) => ({
    before: pageOf(parts.map(([old, , edit]) => (edit === 'add' ? '' : old)).join('\n')),
    after: pageOf(
      parts.map(([old, next, edit]) => ({ keep: old, change: next, drop: '', add: next })[edit]).join('\n'),
    ),
  }))
const pair = fc.oneof(edited, fc.record({ before: page, after: page }))

/** Fragments of attacks and of bad HTML. */
const fragments = `
<script> </script> <SCRIPT> <x<script> <style> </style> <style><script> <svg> </svg> <math> <mi> <svg><style> <svg><script> <foreignObject> <mtext>
<mglyph> <title> </title> <noscript> </noscript> <template> <textarea> </textarea> <select> <option> <plaintext> <xmp> </xmp> <table> <tr> <td>
</table> <caption> <colgroup> <form> </form> <form><div></form> <p> </p> <a> <b> </b> <i> </i> <nobr> <button> <li> <dd> <h1> <h2> <frameset> <frame>
</body> </html> <head> <!-- --> <![CDATA[ ]]> &#13; one three 苹果 &lt;script&gt; &amp;lt; </div> <div> </br> <image> <ruby><rt>
`
const lines = `
<annotation-xml encoding=text/html>
<script src=x>
<a href="javascript:x()">
<a href=" java&#10;script:x()">
<p onclick=x()>
<img src=x onerror=x()>
<ins class=quire-inserted>
<p class="quire-deleted a">
<meta http-equiv=refresh content="0;url=x">
<base href=x>
<iframe srcdoc="<script>x</script>">
<html onload=x>
<body onload=x>
<!doctype html>
<p title="<script>">
<img alt="</style><script>">
<div <script>
<div a"onclick=x>
<input type=hidden>
<input value=a>
`
const written = [
  ...fragments.trim().split(/\s/),
  ...lines.trim().split('\n'),
  ' ',
  '\0',
  '\r',
  '\u{D800}',
  '<pre>\n\n',
]
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...written),
      fc.string({ maxLength: 5 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''))

describe('the highlighted page', () => {
  it('is the page before without insertions, and the page after without deletions', async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ({ before, after }) => {
        const highlighted = await highlightDifferences(before, after)
        expect(seenText(highlighted.inline, 'quire-inserted')).toBe(seenText(before))
        expect(seenText(highlighted.inline, 'quire-deleted')).toBe(seenText(after))
        expect(seenText(highlighted.before)).toBe(seenText(before))
        expect(seenText(highlighted.after)).toBe(seenText(after))
      }),
      runs,
    )
  })

  it('is that for any text, as browsers parse it', async () => {
    await fc.assert(
      fc.asyncProperty(soup, soup, async (before, after) => {
        const { inline, ...sides } = await highlightDifferences(before, after)
        expect(seenText(inline, 'quire-inserted')).toBe(seenText(sides.before))
        expect(seenText(inline, 'quire-deleted')).toBe(seenText(sides.after))
      }),
      { numRuns: 600 },
    )
  })

  it('has no highlights when the pages are equal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(page, soup), async (both) => {
        const highlighted = await highlightDifferences(both, both)
        expect(highlighted.changes).toBe(0)
        expect(parse5.parse(highlighted.inline).childNodes.flatMap(highlightsIn)).toEqual([])
        expect(highlighted.inline).toBe(highlighted.after)
        expect(highlighted.before).toBe(highlighted.after)
      }),
      runs,
    )
  })

  it('is stable: parsing and serializing does not change it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(soup, page), fc.oneof(soup, page), async (before, after) => {
        for (const view of await viewsOf(before, after))
          expect(parse5.serialize(parse5.parse(view))).toBe(view)
      }),
      { numRuns: 600 },
    )
  })

  it('contains no scripts, handlers or URLs that are code, whatever the pages contain', async () => {
    await fc.assert(
      fc.asyncProperty(soup, soup, async (before, after) => {
        for (const view of await viewsOf(before, after)) {
          expect(view).not.toMatch(/<\/?script/i)
          expect(dangers(parse5.parse(view).childNodes)).toEqual([])
        }
      }),
      { numRuns: 600 },
    )
  })
})

async function viewsOf(before: string, after: string): Promise<readonly string[]> {
  const { inline, ...sides } = await highlightDifferences(before, after)
  return [inline, sides.before, sides.after]
}

function escapedText(raw: string): string {
  return raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function elementText(tag: string, inner: string): string {
  return `<${tag}>${inner}</${tag.split(' ')[0]}>`
}

function pageOf(content: string): string {
  return `<!DOCTYPE html><html><head><title>Page</title><style>p { color: red }</style></head><body>${content}</body></html>`
}

/** The text of the body, without white space and without elements of a class. */
function seenText(html: string, without?: string): string {
  const texts: string[] = []
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes)
      if (isText(node)) texts.push(node.value)
      else if (isElement(node) && node.tagName !== 'head' && !isOf(node, without)) walk(node.childNodes)
  }
  walk(parse5.parse(html, { scriptingEnabled: false }).childNodes)
  return texts.join('').replaceAll(/\s/g, '')
}

function isOf(element: Element, name: string | undefined): boolean {
  return name !== undefined && (attributeOf(element, 'class') ?? '').split(' ').includes(name)
}

function highlightsIn(node: Node): string[] {
  if (!isElement(node)) return []
  const name = attributeOf(node, 'class') ?? ''
  return [...(name.includes('quire-') ? [name] : []), ...node.childNodes.flatMap(highlightsIn)]
}

function dangers(nodes: readonly Node[]): string[] {
  return nodes
    .filter(isElement)
    .flatMap((element) => [
      ...(/^(?:script|base|template)$/i.test(element.tagName) ? [element.tagName] : []),
      ...(element.tagName === 'meta' && /refresh/i.test(attributeOf(element, 'http-equiv') ?? '')
        ? ['refresh']
        : []),
      ...element.attrs
        .filter(({ name, value }) => /^(?:on|srcdoc)/i.test(name) || /^\s*java\s*script:/i.test(value))
        .map(({ name }) => name),
      ...dangers(element.childNodes),
    ])
}
