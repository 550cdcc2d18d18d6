import { describe, expect, it } from 'vitest'
import { liquidWithin, renderTemplate } from './liquid.ts'

const bounds = { parseLimit: 1000, renderLimit: 100, memoryLimit: 100_000 }

async function rendered(template: string, scope: object = {}): Promise<string> {
  return renderTemplate(await liquidWithin(bounds, { escape: true }), template, scope)
}

describe('a template with limits', () => {
  it('is rendered with escaped values', async () => {
    const item = { name: '<b>', tags: ['a', 'b'] }
    expect(
      await rendered('{{ item.name }} {% for tag in item.tags %}{{ tag | upcase }}{% endfor %}', { item }),
    ).toBe('&lt;b&gt; AB')
  })

  it.each([
    ['a loop over millions', '{% for a in (1..90000) %}{% for b in (1..90000) %}{% endfor %}{% endfor %}'],
    [
      'a range whose numbers cannot be counted',
      '{% for a in (9007199254740992..9007199254740994) %}{% endfor %}',
    ],
    ['such a range made of values', '{% for a in (low..high) %}{{ a }}{% endfor %}'],
    ['a range past its memory', '{% for a in (1..100000000) %}{% endfor %}'],
  ])('ends %s', async (_what, template) => {
    const started = performance.now()
    const scope = { low: 9_007_199_254_740_992, high: 9_007_199_254_740_994 }
    await expect(rendered(template, scope)).rejects.toThrow(/limit|longer|range/)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
