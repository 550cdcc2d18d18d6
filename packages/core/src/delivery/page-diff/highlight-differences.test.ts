import { describe, expect, it } from 'vitest'
import { highlightDifferences } from './highlight-differences.ts'

const head =
  '<head><title>Page</title><link rel="stylesheet" href="https://styles.example/a.css"><style>p { margin: 0 }</style></head>'
const pageOf = (content: string) =>
  `<!DOCTYPE html><html lang="en">${head}<body class="wide">${content}</body></html>`

/** The bodies of the views, without the class names of highlights. */
async function highlighted(before: string, after: string) {
  const page = await highlightDifferences(pageOf(before), pageOf(after))
  return { ...page, inline: short(page.inline), before: short(page.before), after: short(page.after) }
}

function short(page: string): string {
  return page
    .replace(/^.*<body[^>]*>/s, '')
    .replace(/<\/body>.*$/s, '')
    .replaceAll(/<(ins|del) class="quire-(?:inserted|deleted)">/g, '<$1>')
}

describe('text', () => {
  it.each<[string, string, string, string]>([
    [
      'a replaced word',
      '<p>The brown fox.</p>',
      '<p>The red fox.</p>',
      '<p>The<del> brown</del><ins> red</ins> fox.</p>',
    ],
    [
      'an inserted word',
      '<p>a fox runs</p>',
      '<p>a fox never runs</p>',
      '<p>a fox<ins> never</ins> runs</p>',
    ],
    ['a deleted word at the end', '<p>a fox runs</p>', '<p>a fox</p>', '<p>a fox<del> runs</del></p>'],
    [
      'a word in a script without spaces',
      '<p>我喜欢吃苹果和香蕉。</p>',
      '<p>我喜欢吃苹果和葡萄。</p>',
      '<p>我喜欢吃苹果和<del>香蕉</del><ins>葡萄</ins>。</p>',
    ],
    [
      'words within an element',
      '<p>so <b>very old</b> it is</p>',
      '<p>so <b>very new</b> it is</p>',
      '<p>so <b>very<del> old</del><ins> new</ins></b> it is</p>',
    ],
    [
      'a word that becomes bold',
      '<p>an old fox</p>',
      '<p>an <b>old</b> fox</p>',
      '<p>an<del> old</del><ins> <b>old</b></ins> fox</p>',
    ],
    [
      'a replaced sentence as a whole',
      '<h1>Hello there</h1>',
      '<h1>Good morning</h1>',
      '<h1><del>Hello there</del><ins>Good morning</ins></h1>',
    ],
    [
      'characters that HTML escapes',
      '<p>a &lt;b&gt;</p>',
      '<p>a &lt;i&gt;</p>',
      '<p>a &lt;<del>b</del><ins>i</ins>&gt;</p>',
    ],
    [
      'white space in pre',
      '<pre>a\n b</pre>',
      '<pre>a\n  b</pre>',
      '<pre>a\n<del> </del><ins>  </ins>b</pre>',
    ],
  ])('marks %s', async (...[, before, after, inline]) => {
    expect((await highlighted(before, after)).inline).toBe(inline)
  })

  it('is the same with other white space, comments and invisible attributes', async () => {
    const page = await highlighted('<p id="a">one <!-- x -->two</p>', '<p id="b">\n one\n two </p>')
    expect(page).toMatchObject({ changes: 0, inline: '<p id="b">\n one\n two </p>' })
  })

  it('counts each place that differs', async () => {
    expect((await highlighted('<p>a b c d e</p><p>x</p>', '<p>a B c D e</p><p>x</p><p>y</p>')).changes).toBe(
      3,
    )
  })
})

describe('elements', () => {
  it('shows each side with only its own highlights', async () => {
    const page = await highlighted('<p>a fox</p><p>old</p>', '<p>a red fox</p>')
    expect(page.before).toBe('<p>a fox</p><p class="quire-deleted">old</p>')
    expect(page.after).toBe('<p>a<ins> red</ins> fox</p>')
  })

  it('shows a deleted block at its place, and an inserted one as a block', async () => {
    const page = await highlighted(
      '<p>one</p><ul><li>old</li></ul><p>two</p>',
      '<p>one</p><p>two</p><table><tbody><tr><td>3</td></tr></tbody></table>',
    )
    expect(page.inline).toBe(
      '<p>one</p><ul class="quire-deleted"><li>old</li></ul><p>two</p>' +
        '<table class="quire-inserted"><tbody><tr><td>3</td></tr></tbody></table>',
    )
  })

  it('highlights table rows by class, so that the table stays valid', async () => {
    const row = (text: string, name = '') => `<tr${name && ` class="${name}"`}><td>${text}</td></tr>`
    const table = (rows: string) => `<table><tbody>${rows}</tbody></table>`
    const page = await highlighted(table(row('1') + row('2')), table(row('1') + row('new one') + row('2')))
    expect(page.inline).toBe(table(row('1') + row('new one', 'quire-inserted') + row('2')))
  })

  it('finds a changed paragraph among inserted ones', async () => {
    const page = await highlighted(
      '<p>the fox is old and grey</p>',
      '<p>brand new here</p><p>the fox is young and grey</p>',
    )
    expect(page.inline).toBe(
      '<p class="quire-inserted">brand new here</p><p>the fox is<del> old</del><ins> young</ins> and grey</p>',
    )
  })

  it.each(['src', 'alt', 'srcset'])(
    'shows the picture before beside the one after when its %s changes',
    async (name) => {
      const [old, next] = [`<img ${name}="a.png">`, `<img ${name}="b.png">`]
      expect((await highlighted(`<p>x ${old} y</p>`, `<p>x ${next} y</p>`)).inline).toBe(
        `<p>x<del> ${old}</del><ins> ${next}</ins> y</p>`,
      )
    },
  )

  it('names the old and the new address of a link', async () => {
    const page = await highlighted('<p>see <a href="/a">this</a></p>', '<p>see <a href="/b">this</a></p>')
    expect(page.inline).toBe(
      '<p>see <a href="/b" class="quire-changed" title="Link changed from /a to /b">this</a></p>',
    )
    expect(page.before).toContain('href="/a" class="quire-changed"')
    expect(page.changes).toBe(1)
  })

  it('does not take classes of the page for its own highlights', async () => {
    const page = await highlighted('<p class="quire-inserted a">x</p>', '<p class="quire-inserted a">x</p>')
    expect(page.inline).toBe('<p class="a">x</p>')
  })
})

describe('the documents', () => {
  it('keep their styles and lose everything that runs', async () => {
    const bad =
      '<script>x()</script><p onclick="x()"><a href=" java\nscript:x()">a</a></p><iframe srcdoc="<script>x()</script>"></iframe>' +
      '<noscript><b>seen</b></noscript><template>t</template><style>.a{}</style>'
    const { inline } = await highlightDifferences(
      '',
      pageOf(bad).replace('<title>', '<base href="/x"><meta http-equiv="Refresh" content="0"><title>'),
    )
    expect(inline).toContain(
      '<link rel="stylesheet" href="https://styles.example/a.css"><style>p { margin: 0 }</style><style>.a{}</style>',
    )
    expect(short(inline)).toBe(
      '<p class="quire-inserted"><a>a</a></p><ins><iframe></iframe><b>seen</b></ins>',
    )
    expect(inline).not.toMatch(/script|onclick|<base|refresh|template/i)
  })

  it('keep a stylesheet that contains a tag in a string', async () => {
    const css = '.a { content: "<script>" }'
    const { inline } = await highlightDifferences('', pageOf('x').replace('p { margin: 0 }', css))
    expect(inline).toContain(String.raw`<style>.a { content: "\3c script>" }</style>`)
  })

  it('are highlighted as a whole for a new page and for a deleted one', async () => {
    const page = pageOf('<h1>a</h1>b')
    const created = await highlightDifferences('', page)
    const gone = await highlightDifferences(page, '')
    expect([short(created.inline), short(created.before)]).toEqual([
      '<h1 class="quire-inserted">a</h1><ins>b</ins>',
      '',
    ])
    expect([short(gone.inline), short(gone.after)]).toEqual([
      '<h1 class="quire-deleted">a</h1><del>b</del>',
      '',
    ])
    expect(gone.inline).toContain('<body class="wide">')
    expect(await highlightDifferences('', '')).toMatchObject({ changes: 0 })
  })

  it('contain the style of the highlights', async () => {
    const { inline } = await highlightDifferences('', pageOf('x'))
    expect(inline).toMatch(
      /<style data-quire="page-diff">[^<]*del\.quire-deleted[^<]*line-through[^<]*<\/style><\/head>/,
    )
  })
})

describe('adversarial pages', () => {
  const seconds = 10
  it.each<[string, string, string]>([
    ['20 000 elements deep', '<div>x'.repeat(20_000), '<div>y'.repeat(20_000)],
    ['of formats that never end', '<b><i><a>x'.repeat(1000), '<b><u><a>y'.repeat(1000)],
    ['of tables in tables', '<table><tr><td>'.repeat(5000), '<table><tr><td>x'.repeat(5000)],
    ['of one replaced paragraph', wordsFrom(0), wordsFrom(40_000)],
    ['of rows that all changed', rowsOf('x'), rowsOf('y')],
  ])(
    'are highlighted within the limits: %s',
    async (_name, before, after) => {
      const started = performance.now()
      await highlightDifferences(before, after)
      expect(performance.now() - started).toBeLessThan(seconds * 1000)
    },
    seconds * 2000,
  )
})

describe('a page that would exhaust the memory', () => {
  it.each<[string, string]>([
    ['of megabytes', 'a '.repeat(1_000_000)],
    ['of formats that browsers repeat in each paragraph', formats(500) + '<p>x'.repeat(20_000)],
    [
      'of one long attribute that browsers repeat',
      `<p><b title="${'a'.repeat(10_000)}">${'<p>x'.repeat(20_000)}`,
    ],
  ])('is refused as large: %s', async (_name, page) => {
    await expect(highlightDifferences(page, '')).rejects.toMatchObject({
      name: 'PageDiffRefused',
      kind: 'large',
    })
  })
})

function formats(count: number): string {
  return Array.from({ length: count }, (_, at) => `<p><b id="${at}">`).join('')
}

function wordsFrom(start: number): string {
  return `<p>${Array.from({ length: 20_000 }, (_, at) => `w${start + at}`).join(' ')}</p>`
}

function rowsOf(text: string): string {
  return `<ul>${Array.from({ length: 5000 }, (_, at) => `<li>row ${at} ${text}</li>`).join('')}</ul>`
}
