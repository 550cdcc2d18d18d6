import { describe, expect, it } from 'vitest'
import { notifiedEntries } from './fan-out.ts'

const notified = (...events: string[]) =>
  notifiedEntries(events.map((event) => ({ event, entityId: 'CONT_1', packageId: null }))).map(
    ({ event }) => event,
  )

describe('the entries that webhooks are notified of', () => {
  it('have events of the specification: any other event becomes an update', () => {
    expect(notified('ITEM_UNPUBLISHED')).toEqual(['ITEM_UPDATED'])
    expect(notified('ITEM_UNDELETED', 'ITEM_PUBLISHED')).toEqual(['ITEM_UPDATED', 'ITEM_PUBLISHED'])
    expect(notified('FOLDER_UNDELETED')).toEqual(['FOLDER_UPDATED'])
    expect(notified('ITEM_ARCHIVED', 'PACKAGE_MERGED')).toEqual(['ITEM_ARCHIVED', 'PACKAGE_MERGED'])
  })

  it('have at most one added update of an item', () => {
    expect(notified('ITEM_UPDATED', 'ITEM_UNPUBLISHED')).toEqual(['ITEM_UPDATED'])
    expect(notified('ITEM_UNPUBLISHED', 'ITEM_UPDATED')).toEqual(['ITEM_UPDATED'])
    expect(notified('ITEM_UNDELETED', 'ITEM_UNPUBLISHED')).toEqual(['ITEM_UPDATED'])
    expect(notified('ITEM_UPDATED', 'ITEM_UPDATED')).toEqual(['ITEM_UPDATED', 'ITEM_UPDATED'])
    const two = ['CONT_1', 'CONT_2'].map((entityId) => ({
      event: 'ITEM_UNPUBLISHED',
      entityId,
      packageId: null,
    }))
    expect(notifiedEntries(two)).toHaveLength(2)
  })

  it('do not include what a package only plans to publish', () => {
    const planned = ['ITEM_PUBLISHED', 'ITEM_UNPUBLISHED', 'ITEM_UPDATED', 'ITEM_UNDELETED'].map((event) => ({
      event,
      entityId: 'CONT_1',
      packageId: 'PACK_1',
    }))
    expect(notifiedEntries(planned).map(({ event }) => event)).toEqual(['ITEM_UPDATED'])
  })
})
