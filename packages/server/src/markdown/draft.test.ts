import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { ContentType } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { draftOf } from './draft.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { slugOfPath } from './path-slug.ts'

let type: ContentType
beforeAll(async () => {
  const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
  type = await api.types.create({
    name: 'note',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'year', kind: 'text' },
      { name: 'topics', kind: 'text', list: true },
      { name: 'pages', kind: 'integer' },
      { name: 'at', kind: 'datetime' },
      { name: 'day', kind: 'date' },
      { name: 'teaser', kind: 'richText', settings: { format: 'html' } },
      { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
    ],
  })
})

const draft = (text: string, path = 'notes/Über Ink.md') =>
  draftOf({ path, content: parseMarkdown(text) }, type)

describe('a file', () => {
  it('gives an item its name, slug, description and values', () => {
    const text =
      '---\ntitle: Ink\nslug: my-ink\nsummary: On ink\npages: 3\ntopics: [a, b]\npublished: true\n---\n\nText\n'
    expect(draft(text)).toMatchObject({
      name: 'Ink',
      slug: 'my-ink',
      description: 'On ink',
      isPublished: true,
      fields: { title: 'Ink', pages: 3, topics: ['a', 'b'], body: 'Text' },
    })
  })

  it('without front matter has the name of its first heading and the slug of its path', () => {
    const found = draft('# All about ink #\n\nText')
    expect(found).toMatchObject({ name: 'All about ink', slug: 'notes-uber-ink', isPublished: false })
    expect(found.fields).toEqual({ title: 'All about ink', body: '# All about ink #\n\nText' })
    expect(found.description).toBeUndefined()
  })

  it.each([
    ['# mri [![CI](https://x.test/badge.svg)](https://x.test/ci)\n', 'mri'],
    [
      '# [Quire](https://x.test) <img src="a.png"> **bold** _and_ `code` &amp; more',
      'Quire bold and code & more',
    ],
    ['```sh\n# no heading\n```\n\n# A heading', 'A heading'],
    ['# <b>Ink</b>\r\n\r\nText', 'Ink'],
    ['Ink and paper\n=====\n', 'Ink and paper'],
    ['# ![logo](a.png)\n\nText', 'notes/Über Ink.md'],
    [`# ${'word '.repeat(80)}`, 'word '.repeat(40).trim()],
    [`# ${'x'.repeat(300)}`, 'x'.repeat(200)],
  ])('%j is named after the plain text of its heading', (text, name) => {
    expect(draft(text)).toMatchObject({ name, fields: { title: name } })
  })

  it('may be empty', () => {
    expect(draft('')).toMatchObject({ name: 'notes/Über Ink.md', fields: { title: 'notes/Über Ink.md' } })
  })

  it('converts texts, lists and times to what the field expects', () => {
    const text = '---\nyear: 2026\ntopics: one\nday: 2026-10-13\nat: 2026-10-13T08:00:00Z\n---\n'
    expect(draft(text).fields).toMatchObject({
      year: '2026',
      topics: ['one'],
      day: '2026-10-13',
      at: Date.UTC(2026, 9, 13, 8),
    })
  })

  it('reads every line ending and a byte order mark, and retains the line endings of the text', () => {
    expect(draft('\uFEFF---\r\ntitle: Ink\r\n---\r\nA\r\nB\r\n').fields).toMatchObject({
      title: 'Ink',
      body: 'A\r\nB',
    })
  })

  it.each([
    ['---\ntitle: a\n', 1, /not closed/],
    ['---\ntitle: "a\n---\n', 2, /quote/i],
    ['---\n- a\n- b\n---\n', 2, /key: value/],
    ['---\ntitle: a\ntitle: b\n---\n', 3, /unique/i],
    [
      '---\ntitle: a\nmood: b\n---\n',
      3,
      /"mood" is not a field of the content type "note", which has title, year/,
    ],
    ['---\n\n# a comment\npublished: yes\n---\n', 4, /true or false/],
    ['---\ntitle: [a]\n---\n', 2, /must be text/],
    ['---\nbody: here\n---\n\nand here', 2, /the text below/],
  ])('%j is reported at line %i', (text, line, message) => {
    expect(() => draft(text)).toThrow(
      expect.objectContaining({ line, message: expect.stringMatching(message) }),
    )
  })

  it('with a key that objects have is reported like any other', () => {
    expect(() => draft('---\n__proto__: {a: 1}\n---\n')).toThrow(/not a field/)
    expect(() => draft('---\nconstructor: 1\n---\n')).toThrow(/not a field/)
  })

  it('that expands endlessly is refused', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefg'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`),
    ]
    expect(() => draft(`---\n${bomb.join('\n')}\n---\n`)).toThrow(/alias/i)
  })
})

describe('a slug of a path', () => {
  it.each([
    ['guide/Getting started.md', 'guide-getting-started'],
    ['a.b/c.d.md', 'a-b-c-d'],
    ['Ærø & Ñandú.markdown', 'r-nandu'],
  ])('%s is %s', (path, slug) => {
    expect(slugOfPath(path)).toBe(slug)
  })
})
