import { limits } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { sampleItem, sampleSite, sampleSource } from '../../../../test/sample-site.ts'
import { nextLoop } from '../../../engine/event-loop.ts'
import { createSiteRenderer } from './site-renderer.ts'
import { TemplateFault } from './template-fault.ts'

const item = sampleItem({
  id: 'CONT_1',
  name: 'Ink',
  fields: { long: 'x'.repeat(100_000), deep: '<b>'.repeat(6000) },
})

async function rendering(templates: Readonly<Record<string, string>>, layoutTemplate: string | null = null) {
  const map = sampleSite({
    site: { templates, layoutTemplate },
    sections: [{ id: 'NEWS', pages: [{ id: 'PAGE_1', name: 'One', slug: 'one', itemId: 'CONT_1' }] }],
  })
  const parts = {
    map,
    repository: { id: 'REPO_1', name: 'shop' },
    source: sampleSource([item]),
    isPreview: false,
    round: nextLoop,
  }
  const renderer = await createSiteRenderer(parts)
  const node = map.pages.get('PAGE_1')
  if (node === undefined) throw new Error('No page')
  return async () => renderer.render(node)
}

async function faultOf(templates: Readonly<Record<string, string>>, layoutTemplate: string | null = null) {
  const render = await rendering(templates, layoutTemplate)
  const fault: unknown = await render().catch((error: unknown) => error)
  if (!(fault instanceof TemplateFault)) throw new Error('Not a template fault', { cause: fault })
  return fault
}

const at = (template: string | null, line: number | null, column: number | null) => ({
  template,
  line,
  column,
})

describe('a fault', () => {
  it('names the page, the template, the line and the column', async () => {
    const fault = await faultOf({ page: 'a\n b {{ item.name | shout }}' })
    expect(fault).toMatchObject({ pageId: 'PAGE_1', pageName: 'One', path: 'news/one', ...at('page', 2, 4) })
    expect(fault.message).toBe(
      'The page "One" at /news/one cannot be rendered: template "page", line 2, column 4: there is no filter "shout".',
    )
  })

  it.each<[string, Record<string, string>, object, string]>([
    ['an unknown tag', { page: '\n{% shout %}' }, at('page', 2, 1), 'there is no tag "shout".'],
    ['a tag that is not closed', { page: '{% if a %}' }, at('page', 1, 1), '{% if a %} is not closed.'],
    ['output that is not closed', { page: '\n\n{{ a' }, at('page', 3, 1), '"{{ a" is not closed.'],
    [
      'a filter in a partial',
      { page: '{% render "p" %}', p: '\n{{ 1 | x }}' },
      at('p', 2, 1),
      'there is no filter "x".',
    ],
    ['a missing partial', { page: '\n{% render "p" %}' }, at('page', 2, 1), 'there is no template "p".'],
    [
      'a missing include',
      { page: '{% include "../../etc/passwd" %}' },
      at('page', 1, 1),
      'there is no template "../../etc/passwd".',
    ],
    [
      'a partial named like a member of all objects',
      { page: '{% render "constructor" %}' },
      at('page', 1, 1),
      'there is no template "constructor".',
    ],
    [
      'a missing layout in a template',
      { page: '{% layout "frame" %}' },
      at('page', 1, 1),
      'there is no template "frame".',
    ],
    [
      'a partial without a name',
      { page: '{% render nothing %}' },
      at('page', 1, 1),
      'the template to show has no name.',
    ],
    ['a missing page template', { other: '' }, at('page', null, null), 'there is no template "page".'],
    [
      'a template that is too long',
      { page: ' '.repeat(limits.template + 1) },
      at('page', null, null),
      `the template "page" is longer than ${limits.template} characters.`,
    ],
    [
      'an item that is nested too deep',
      { page: '{{ item.fields.deep | html }}' },
      at('page', 1, 1),
      'a rich text is nested too deep.',
    ],
  ])('is %s', async (_name, ...[templates, position, problem]) => {
    const fault = await faultOf(templates)
    expect(fault).toMatchObject(position)
    expect(fault.message.endsWith(`: ${problem}`)).toBe(true)
  })

  it('names a missing layout, and the line in a failing one', async () => {
    expect(await faultOf({ page: '' }, 'frame')).toMatchObject(at('frame', null, null))
    expect(await faultOf({ page: '', frame: '{{ content }}\n{% x %}' }, 'frame')).toMatchObject(
      at('frame', 2, 1),
    )
  })

  it('is the same each time, also for concurrent pages', async () => {
    const render = await rendering({ page: '{% render "p" %}' })
    const faults = await Promise.all(
      [1, 2, 3].map(async () => render().catch((error: unknown) => String(error))),
    )
    expect(new Set(faults).size).toBe(1)
    expect(faults[0]).toContain('there is no template "p"')
  })
})

/**
 * Milliseconds: the limit of a page, plus what one step of the engine may take on a busy machine.
 */
const longest = limits.renderTime + 4000

describe('a hostile template', () => {
  it.each([
    [
      'loops without end',
      '{% for a in (1..5000) %}{% for b in (1..5000) %}{% assign c = b %}{% endfor %}{% endfor %}',
      `takes longer than ${limits.renderTime} ms`,
    ],
    [
      'loops over nothing',
      '{% for a in (1..5000) %}{% for b in (1..5000) %}{% endfor %}{% endfor %}',
      `takes longer than ${limits.renderTime} ms`,
    ],
    ['has a huge range', '{% for a in (1..1000000000) %}{% endfor %}', 'takes more memory than a page may'],
    [
      'has a range beyond what can be counted',
      '{% for a in (9007199254740992..9007199254740994) %}{% endfor %}',
      'a range goes beyond',
    ],
    [
      'makes such a range of texts',
      '{% assign b = "9007199254740994" %}{% for a in ("9007199254740992"..b) %}{% endfor %}',
      'a range goes beyond',
    ],
    [
      'makes such a range in a filter',
      '{% assign x = "a" | split: "," | where_exp: "i", "(9007199254740992..9007199254740994)" %}',
      'a range goes beyond',
    ],
    ['renders itself', '{% render "page" %}', 'is nested too deep, or a template renders itself'],
    ['includes itself', '{% include "page" %}', 'is nested too deep, or a template renders itself'],
    ['is its own layout', '{% layout "page" %}', 'is nested too deep, or a template renders itself'],
    ['nests tags too deep', `${'{%if 1%}'.repeat(1000)}${'{%endif%}'.repeat(1000)}`, 'is nested too deep'],
    [
      'doubles a text',
      `{% assign a = "xxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(60)}`,
      'takes more memory than a page may',
    ],
    [
      'writes too much',
      '{% for a in (1..100) %}{{ item.fields.long }}{% endfor %}',
      'produces more than 5242880 bytes',
    ],
    [
      'captures too much',
      `{% capture c %}{% for a in (1..1000) %}${'x'.repeat(9000)}{% endfor %}{% endcapture %}`,
      'produces more than 5242880 bytes',
    ],
    [
      'nests a list in itself',
      `{% assign a = "x" | split: "" %}{% for i in (1..60) %}{% assign a = a | push: a %}{% endfor %}{{ a }}`,
      'a list holds more than 250000 values',
    ],
    [
      'groups a list in itself',
      `{% assign a = "x" | split: "" %}{% for i in (1..60) %}{% assign b = a | concat: a | group_by: "x" | map: "items" %}{% assign a = b %}{% endfor %}{% if a == b %}{% endif %}`,
      'a list holds more than 250000 values',
    ],
    ['has too many tags', '{{a}}'.repeat(2001), 'a template has at most 2000 tags and outputs'],
    [
      'sorts more than can be sorted at once',
      '{% assign a = (1..20000) | sort_natural %}',
      'the filter "sort_natural" takes at most 10000 characters or 10000 elements',
    ],
    ['pads a date', '{{ 0 | date: "%999999999d" }}', 'takes more memory than a page may'],
    [
      'filters a large list',
      '{% assign a = (1..3000000) %}{% assign b = a | where: "x" %}{% assign b = a | where: "x" %}',
      '',
    ],
    ['sorts a large list', `{% assign a = (1..1500000) %}{{ a${' | sort_natural'.repeat(9)} }}`, ''],
  ])('that %s stays within its limits', async (_name, page, problem) => {
    const started = performance.now()
    const fault = await faultOf({ page })
    expect(fault.message).toContain(problem)
    expect(performance.now() - started).toBeLessThan(longest)
  })

  it('yields to the event loop while it runs', async () => {
    const loop = '{% for a in (1..5000) %}{% for b in (1..5000) %}{% endfor %}{% endfor %}'
    const { promise, resolve } = Promise.withResolvers<void>()
    let slots = 0
    const timer = setInterval(() => (slots += 1) === 20 && resolve(), 5)
    const fault = faultOf({ page: loop })
    await Promise.race([promise, fault])
    expect(slots).toBeGreaterThanOrEqual(20)
    await fault
    clearInterval(timer)
  })

  it.each([
    'item.constructor',
    'item.__proto__',
    'item.fields.constructor.constructor',
    'site.constructor',
    'site.__proto__.constructor',
    'page.toString',
    'page.hasOwnProperty',
    'section.valueOf',
    'site.sections.constructor',
    'content.constructor',
    'content.toString',
    'constructor',
    '__proto__',
    'globalThis',
    'process.env',
  ])('does not reach prototypes: %s', async (path) => {
    const render = await rendering(
      { page: `[{{ ${path} }}{{ ${path} | raw }}{{ ${path} | json }}]`, frame: `{{ content }}{{ ${path} }}` },
      'frame',
    )
    expect((await render()).html).toBe('[]')
  })

  it('does not show source code when it iterates over a section', async () => {
    const page = '{% for m in section %}{{ m[1] }}{{ m[1] | raw }}{% endfor %}{{ section | json | raw }}'
    const { html } = await (await rendering({ page }))()
    expect(html).not.toContain('this')
  })
})
