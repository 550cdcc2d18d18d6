import { Site } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { defaultTemplates } from './default-templates.ts'
import { sampleItem, sampleSite, sampleSource } from '../../../../test/sample-site.ts'
import { nextLoop } from '../../../engine/event-loop.ts'
import { createSiteRenderer } from './site-renderer.ts'

const article = sampleItem({
  id: 'CONT_1',
  name: 'Ink & <paper>',
  description: 'All of "it"',
  fields: {
    title: 'Ink & <paper>',
    body: '<p>Some <em>ink</em></p><script>alert(1)</script>',
    notes: 'Some **Markdown** here',
    author: 'CONT_2',
    count: 17,
    link: 'https://example.com',
    tags: ['a b'],
  },
})

async function documentOf(pageId: string, baseUrl = 'https://garden.example.com') {
  const map = sampleSite({
    site: { templates: defaultTemplates, layoutTemplate: 'layout', homeSectionId: 'HOME', baseUrl },
    sections: [
      {
        id: 'HOME',
        rootPageId: 'PAGE_HOME',
        pages: [{ id: 'PAGE_HOME', name: 'Garden', description: 'Hello' }],
      },
      {
        id: 'NEWS',
        name: 'News <b>',
        slug: 'neues-für-alle',
        rootPageId: 'PAGE_NEWS',
        pages: [
          { id: 'PAGE_NEWS', name: 'News' },
          { id: 'PAGE_1', slug: 'ink', itemId: 'CONT_1' },
        ],
      },
      { id: 'EMPTY' },
    ],
  })
  const parts = {
    map,
    repository: { id: 'REPO_1', name: 'shop' },
    source: sampleSource([article]),
    isPreview: false,
    round: nextLoop,
  }
  const node = map.pages.get(pageId)
  if (node === undefined) throw new Error('No page')
  return (await (await createSiteRenderer(parts)).render(node)).html
}

describe('the templates of a new site', () => {
  it('are accepted by a site', () => {
    expect(Site.shape.templates.safeParse(defaultTemplates).success).toBe(true)
  })

  it('show an item with its texts, without ids, numbers or a second title', async () => {
    const html = await documentOf('PAGE_1')
    expect(html).toContain('<title>Ink &amp; &lt;paper&gt; – Garden</title>')
    expect(html).toContain('<meta name="description" content="All of &#34;it&#34;">')
    expect(html).toContain('<h1>Ink &amp; &lt;paper&gt;</h1>')
    expect(html).toContain('<section><p>Some <em>ink</em></p></section>')
    expect(html).toContain('<section><p>Some <strong>Markdown</strong> here</p>')
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
    for (const absent of ['CONT_2', '17', 'https:', 'script', 'a b']) expect(main).not.toContain(absent)
    expect(main.match(/Ink/g)).toHaveLength(1)
  })

  it('link to sections with a root page, and mark the current one', async () => {
    const html = await documentOf('PAGE_1')
    expect(html).toContain('<a href="../" aria-current="true">News &lt;b&gt;</a>')
    expect(html).toContain('<a href="../../">Garden</a>')
    expect(html).not.toContain('EMPTY')
    expect(await documentOf('PAGE_NEWS')).toContain('<a href="./" aria-current="page">News &lt;b&gt;</a>')
  })

  it('have a canonical link if the site has a base URL', async () => {
    const at = 'https://garden.example.com'
    expect(await documentOf('PAGE_HOME')).toContain(`<link rel="canonical" href="${at}/">`)
    expect(await documentOf('PAGE_1')).toContain(`href="${at}/neues-f%C3%BCr-alle/ink/">`)
    expect(await documentOf('PAGE_1', '')).not.toContain('canonical')
  })

  it('show the name and description of a page without an item', async () => {
    const html = await documentOf('PAGE_HOME')
    expect(html).toContain('<title>Garden</title>')
    expect(html).toContain('<h1>Garden</h1>\n<p class="summary">Hello</p>')
  })

  it('load nothing from other hosts, and run no scripts', async () => {
    const html = await documentOf('PAGE_HOME', '')
    expect(html).not.toMatch(/<script|https?:|@import|url\(/)
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
  })
})
