import type { Item } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { sampleItem, type SampleSection, sampleSite, sampleSource } from '../../../../test/sample-site.ts'
import { nextLoop } from '../../../engine/event-loop.ts'
import { createSiteRenderer } from './site-renderer.ts'
import { TemplateFault } from './template-fault.ts'

const item = sampleItem({
  id: 'CONT_1',
  name: '<img src=x onerror=1>',
  fields: {
    body: '<p onclick="x()">Hi <b>you</b><script>1</script></p>',
    text: '# Title\n\n**bold** <script>alert(1)</script> [x](javascript:alert(1))',
    author: 'CONT_2',
    others: ['CONT_2', 'CONT_9', 'CONT_3'],
    size: 'XL',
    forged: { id: 'CONT_2', fields: {}, renditions: [], storage: { objectName: 'secret' } },
    entities: '<p>a &lt;i&gt; &amp; b</p><p>c</p>',
    when: 1_700_000_000_123,
  },
})
const items = [item, sampleItem({ id: 'CONT_2', name: 'Ada' }), sampleItem({ id: 'CONT_3', name: 'Bob' })]
const files = {
  'CONT_1/card': 'assets/a b.webp',
  'CONT_1/original': 'https://cdn.example.com/a.png',
  'CONT_2/card': 'assets/ada.webp',
}

const sections: SampleSection[] = [
  { id: 'HOME', rootPageId: 'PAGE_HOME', pages: [{ id: 'PAGE_HOME', name: 'Start' }] },
  {
    id: 'NEWS',
    name: 'News & more',
    rootPageId: 'PAGE_NEWS',
    pages: [
      { id: 'PAGE_NEWS', name: 'All news' },
      { id: 'PAGE_1', slug: 'one', name: 'One', itemId: 'CONT_1', meta: { tone: 'calm' }, order: 5 },
      { id: 'PAGE_2', slug: 'two', itemId: 'CONT_2', order: 2 },
      { id: 'PAGE_3', slug: 'three', itemId: 'CONT_2', order: 1 },
      { id: 'PAGE_HIDDEN', slug: 'hidden', itemId: 'CONT_3', visible: false },
    ],
  },
  { id: 'DEEP', within: 'NEWS', pages: [{ id: 'PAGE_DEEP', slug: 'leaf', itemId: 'CONT_8' }] },
]

interface Setting {
  readonly templates: Readonly<Record<string, string>>
  readonly page?: string
  readonly layoutTemplate?: string
  readonly layouts?: Readonly<Record<string, string>>
  readonly source?: ReturnType<typeof sampleSource>
}

async function rendered({ templates, page = 'PAGE_1', layoutTemplate, layouts = {}, source }: Setting) {
  const map = sampleSite({
    site: {
      templates,
      layoutTemplate: layoutTemplate ?? null,
      homeSectionId: 'HOME',
      settings: { tint: 'green', constructor: null },
      baseUrl: 'https://garden.example.com',
    },
    sections: sections.map((section) => ({ ...section, layoutTemplate: layouts[section.id] ?? null })),
  })
  const node = map.pages.get(page)
  if (node === undefined) throw new Error(`No page ${page}`)
  const renderer = await createSiteRenderer({
    map,
    repository: { id: 'REPO_1', name: 'shop' },
    source: source ?? sampleSource(items, files),
    isPreview: true,
    round: nextLoop,
  })
  return renderer.render(node)
}

const html = async (page: string, setting: Omit<Setting, 'templates'> = {}) =>
  (await rendered({ templates: { page }, ...setting })).html

const used = async (page: string, setting: Omit<Setting, 'templates'> = {}) =>
  [...(await rendered({ templates: { page }, ...setting })).uses].toSorted()

describe('a page', () => {
  it('is its template within the layout of its section, within the layout of the site', async () => {
    const templates = {
      page: 'P {{ item.id }}',
      news: '[{{ content }}]',
      site: '<main>{{ content }}</main>{{ page.name }}',
    }
    const setting = { templates, layoutTemplate: 'site', layouts: { NEWS: 'news' } }
    expect((await rendered(setting)).html).toBe('<main>[P CONT_1]</main>One')
    expect((await rendered({ ...setting, page: 'PAGE_DEEP' })).html).toBe('<main>[P ]</main>PAGE_DEEP')
    expect((await rendered({ ...setting, page: 'PAGE_HOME' })).html).toBe('<main>P </main>Start')
    expect(
      (await rendered({ ...setting, layouts: { NEWS: 'news', DEEP: 'page' }, page: 'PAGE_DEEP' })).html,
    ).toBe('<main>P </main>PAGE_DEEP')
  })

  it('escapes values, but neither content nor raw values', async () => {
    const templates = {
      page: '<h1>{{ item.name }}</h1>{{ item.name | raw }}',
      site: '{{ content }}{% echo item.name %}',
    }
    expect((await rendered({ templates, layoutTemplate: 'site' })).html).toBe(
      '<h1>&lt;img src=x onerror=1&gt;</h1><img src=x onerror=1>&lt;img src=x onerror=1&gt;',
    )
  })

  it.each([
    ['{{ item.name | escape }}', '&lt;img src=x onerror=1&gt;'],
    ['{{ item.name | append: "\n" | newline_to_br }}', '&lt;img src=x onerror=1&gt;<br />\n'],
    ['{{ item.name | json | raw }}', String.raw`"\u003cimg src=x onerror=1>"`],
    ['{{ item.name | upcase }}', '&lt;IMG SRC=X ONERROR=1&gt;'],
    ['{{ item.fields.body | html | upcase }}', '&lt;P&gt;HI &lt;B&gt;YOU&lt;/B&gt;&lt;/P&gt;'],
  ])('escapes once: %s', async (template, expected) => {
    expect(await html(template)).toBe(expected)
  })

  it('shows nothing for missing values', async () => {
    expect(await html('[{{ item.fields.none.deeper }}{{ nothing }}{{ page.meta.x }}]')).toBe('[]')
    expect(await html('[{{ item.name }}]', { page: 'PAGE_DEEP' })).toBe('[]')
    expect(await html('{% if item == nil %}no item{% endif %}', { page: 'PAGE_DEEP' })).toBe('no item')
  })

  it.each([
    [
      '{{ page.id }} {{ page.slug }} {{ page.meta.tone }} {{ page.order }} {{ page.path }} {{ page.isRoot }}',
      'PAGE_1 one calm 5 news/one false',
    ],
    [
      '{{ section.id }} {{ section.name }} {{ section.path }} {{ section.root.name }}',
      'NEWS News &amp; more news All news',
    ],
    [
      '{{ site.name }} {{ site.settings.tint }} {{ site.url }} {{ site.baseUrl }} {{ site.home.name }}',
      'Garden green ../../ https://garden.example.com Start',
    ],
    ['{{ repository.name }} {{ preview }}', 'shop true'],
    ['{% for s in site.sections %}{{ s.name }}={{ s.url }};{% endfor %}', 'HOME=../../;News &amp; more=../;'],
    ['{% for p in section.pages %}{{ p.slug }} {% endfor %}', 'page_news one two three '],
    [
      '{% for s in section.sections %}{{ s.parent.id }}/{{ s.path }}{{ s.url }}{% endfor %}',
      'NEWS/news/deep',
    ],
    ['{{ section.parent.id }}{{ section.sections.size }}', '1'],
    ['{% if section == site.sections[1] %}same{% endif %}', 'same'],
    ['{{ site.sections | where: "id", "NEWS" | map: "url" }}', '../'],
    ['{{ site.sections | sort: "id" | map: "id" | join: "," }}', 'HOME,NEWS'],
    ['{{ item.fields.size }}', 'XL'],
    ['{% render "part", more: 1 %}', ''],
  ])('reads %s', async (template, expected) => {
    const { html: found } = await rendered({ templates: { page: template, part: '' } })
    expect(found).toBe(expected)
  })

  it('renders partials of the site, which can access the page', async () => {
    const templates = {
      page: '{% render "part", x: 1 %}{% include "part" %}',
      part: '({{ x }}{{ page.name }})',
      framed: '{% layout "frame" %}{% block a %}A{% endblock %}',
      frame: '<{% block a %}{% endblock %}>{% include "part" %}',
    }
    expect((await rendered({ templates })).html).toBe('(1One)(One)')
    expect((await rendered({ templates: { ...templates, page: templates.framed } })).html).toBe('<A>(One)')
  })
})

describe('links', () => {
  it.each([
    ['{{ "PAGE_2" | url }}', '../two/'],
    ['{{ "NEWS" | url }}', '../'],
    ['{{ section | url }}', '../'],
    ['{{ site | url }}', '../../'],
    ['{{ page | url }}', './'],
    ['{{ item | url }}', './'],
    ['{{ "CONT_2" | url }}', '../three/'],
    [
      '[{{ "CONT_3" | url }}{{ "PAGE_HIDDEN" | url }}{{ "DEEP" | url }}{{ "gone" | url }}{{ nil | url }}{{ 5 | url }}]',
      '[]',
    ],
    ['{{ item | rendition: "card" }}', '../../assets/a%20b.webp'],
    ['{{ item | file }}', 'https://cdn.example.com/a.png'],
    ['[{{ "CONT_2" | file }}{{ "gone" | file }}{{ nil | rendition: "card" }}{{ item | rendition }}]', '[]'],
  ])('%s', async (template, expected) => {
    expect(await html(template)).toBe(expected)
  })

  it('exist from a hidden page to itself', async () => {
    expect(await html('{{ page.url }}', { page: 'PAGE_HIDDEN' })).toBe('./')
  })

  it('use the item from the source, never a value that looks like an item', async () => {
    const asked: Item[] = []
    const source = { ...sampleSource(items), file: async (found: Item) => (asked.push(found), null) }
    await html('{{ item.fields.forged | file }}', { source })
    expect(asked).toEqual([items[1]])
  })
})

describe('items', () => {
  it('are found by id, and missing ones are left out of lists', async () => {
    expect(await html('{% assign a = item.fields.author | item %}{{ a.name }}')).toBe('Ada')
    expect(
      await html('{% assign all = item.fields.others | item %}{% for o in all %}{{ o.name }},{% endfor %}'),
    ).toBe('Ada,Bob,')
    expect(await html('[{% assign a = "CONT_9" | item %}{{ a.name }}{{ nil | item }}]')).toBe('[]')
  })
})

describe('rich text', () => {
  it.each([
    ['{{ item.fields.body | html }}', '<p>Hi <b>you</b></p>'],
    ['{{ item.fields.text | markdown }}', '<h1>Title</h1>\n<p><strong>bold</strong>  <a>x</a></p>\n'],
    ['{{ item.fields.entities | plain }}', 'a &lt;i&gt; &amp; b c'],
    ['{{ item.fields.text | markdown | plain }}', 'Title bold x'],
    ['{% assign b = item.fields.body | html %}{{ b }}', '<p>Hi <b>you</b></p>'],
    ['{% assign b = item.fields.none | markdown %}{% if b == blank %}none{% endif %}', 'none'],
    [
      '{% assign b = item.fields.body | html %}{% if b contains "you" and b != blank %}some{% endif %}',
      'some',
    ],
  ])('%s', async (template, expected) => {
    expect(await html(template)).toBe(expected)
  })
})

describe('dates', () => {
  it.each([
    ['{{ item.fields.when | date: "%Y-%m-%d %H:%M:%S.%L %z" }}', '2023-11-14 22:13:20.123 +0000'],
    ['{{ "2024-02-29" | date: "%d %b %Y" }}', '29 Feb 2024'],
    ['{{ "2024-02-29T23:30:00" | date: "%d %H:%M" }}', '29 23:30'],
    ['{{ "2024-02-29T23:30:00+02:00" | date: "%d %H:%M" }}', '29 21:30'],
    ['{{ item.fields.when | date_to_xmlschema }}', '2023-11-14T22:13:20+00:00'],
    ['{{ item.fields.when | date_to_long_string }}', '14 November 2023'],
    ['[{{ nil | date: "%Y" }}{{ "soon" | date: "%Y" }}]', '[soon]'],
  ])('%s', async (template, expected) => {
    expect(await html(template)).toBe(expected)
  })
})

describe('what a page uses', () => {
  const always = ['CONT_1', 'NEWS', 'PAGE_1', 'SITE_1']

  it.each([
    ['{{ page.name }}{{ section.name }}{{ site.name }}{{ item.name }}', []],
    ['{% for s in site.sections %}{% endfor %}', ['tree']],
    ['{{ section.parent }}', ['tree']],
    ['{{ section.pages.size }}', ['tree']],
    ['{{ "PAGE_2" | url }}', ['PAGE_2']],
    ['{{ "NEWS" | url }}', ['PAGE_NEWS']],
    ['{{ "CONT_2" | url }}', ['PAGE_3', 'tree']],
    ['{{ "CONT_9" | item }}', ['CONT_9']],
    ['{% assign x = item.fields.others | item %}', ['CONT_2', 'CONT_3', 'CONT_9']],
    ['{{ "CONT_2" | file }}', ['CONT_2']],
  ])('includes itself with its sections, site and item, and more for %s', async (template, more) => {
    expect(await used(template)).toEqual([...always, ...more].toSorted())
  })

  it('includes a missing item, and all sections up to the top', async () => {
    expect(await used('', { page: 'PAGE_DEEP' })).toEqual(['CONT_8', 'DEEP', 'NEWS', 'PAGE_DEEP', 'SITE_1'])
  })
})

describe('a source that fails', () => {
  it('is not reported as a template fault', async () => {
    const down = new Error('The store is down')
    const source = {
      ...sampleSource(items),
      item: async (id: string) => (id === 'CONT_2' ? Promise.reject(down) : item),
    }
    await expect(html('{{ "CONT_2" | item }}', { source })).rejects.toBe(down)
    await expect(html('{{ "x" | nope }}', { source })).rejects.toBeInstanceOf(TemplateFault)
  })
})
