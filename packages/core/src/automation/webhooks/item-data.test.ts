import { describe, expect, it } from 'vitest'
import { deliveredData, itemData } from './deliver.ts'

const item = {
  id: 'CONT_1',
  name: 'Ink',
  cardPreview: '<b>Ink</b>',
  fields: { text: 'mine', cardPreview: 'mine' },
}
const plain = { id: 'CONT_1', name: 'Ink', fields: { text: 'mine', cardPreview: 'mine' } }

describe('the data of an item', () => {
  it.each([
    ['without a text', item],
    ['that came with a text', { ...item, text: 'ALL' }],
    ['that has no card preview', plain],
  ])('%s has no card preview, and the text only if it is included', (_name, given) => {
    expect(itemData(given, { includeText: false, text: 'words' })).toEqual(plain)
    expect(itemData(given, { includeText: true, text: 'words' })).toEqual({ ...plain, text: 'words' })
    expect(itemData(given, { includeText: true, text: null })).toEqual({ ...plain, text: null })
  })

  it('loses the text that it was queued with when the webhook no longer includes it', () => {
    const queued = itemData(item, { includeText: true, text: 'words' })
    expect(deliveredData(queued, { includeText: true })).toEqual({ ...plain, text: 'words' })
    expect(deliveredData(queued, { includeText: false })).toEqual(plain)
  })

  it('has no card preview even if it was queued with one', () => {
    expect(deliveredData(item, { includeText: true })).toEqual(plain)
    expect(deliveredData({ ...item, cardPreview: null }, { includeText: false })).toEqual(plain)
  })

  it('leaves the item as it is', () => {
    const before = structuredClone(item)
    itemData(item, { includeText: true, text: 'words' })
    expect(item).toEqual(before)
  })
})
