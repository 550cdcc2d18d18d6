import { FieldList, limits, type ContentType } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { emptyContent, snapshotOf } from './content.ts'
import { documentOf } from './document.ts'

const fields = FieldList.parse([
  { name: 'first', kind: 'text' },
  { name: 'second', kind: 'richText' },
  { name: 'third', kind: 'text' },
])
const article = { name: 'article', fields } as unknown as ContentType

function passages(values: Record<string, string>) {
  const content = { ...emptyContent, name: 'A', description: 'About', fields: values }
  return documentOf(snapshotOf(content, { type: article, cardPreview: null }), article).passages
}

describe('the searchable text of an item', () => {
  it('contains all of its texts', () => {
    expect(passages({ first: 'one', second: '<p>two &amp; three</p>' })).toEqual([
      { path: 'description', text: 'About' },
      { path: 'fields.first', text: 'one' },
      { path: 'fields.second', text: ' two & three ' },
    ])
  })

  it('ends with a whole word if the texts are longer than a save may index', () => {
    const [, first, second, none] = passages({
      first: 'x'.repeat(limits.searchedText - 20),
      second: 'seven letters make no word',
      third: 'never',
    })
    expect(first?.text).toHaveLength(limits.searchedText - 20)
    expect(second?.text).toBe('seven letters')
    expect(none).toBeUndefined()
  })

  it('counts characters that are not ASCII twice', () => {
    const [, first] = passages({ first: '図'.repeat(limits.searchedText) })
    expect(first?.text).toHaveLength(Math.floor((limits.searchedText - 'About'.length) / 2))
    const [, blessing] = passages({ first: '\ufdfa'.repeat(limits.searchedText) })
    expect(blessing?.text).toHaveLength(Math.floor((limits.searchedText - 'About'.length) / 18))
  })
})
