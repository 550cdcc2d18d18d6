import { itemEvents, webhookEvents } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { isTriggered } from './fan-out.ts'

type Subscription = Parameters<typeof isTriggered>[0]
type Entry = Parameters<typeof isTriggered>[1]

const subscription: Subscription = {
  enabled: true,
  repositoryId: 'REPO_1',
  events: ['ITEM_PUBLISHED', 'FOLDER_CREATED', 'SITE_PUBLISHED'],
  types: [],
}
const published: Entry = { event: 'ITEM_PUBLISHED', repositoryId: 'REPO_1', entityType: 'article' }
const folder: Entry = { event: 'FOLDER_CREATED', repositoryId: 'REPO_1', entityType: 'folder' }
const site: Entry = { event: 'SITE_PUBLISHED', repositoryId: 'REPO_1', entityType: 'site' }

describe('an event', () => {
  it.each<[string, Partial<Subscription>, Entry]>([
    ['that subscribes to it, without a filter', {}, published],
    ['about an item of a type in its filter', { types: ['note', 'article'] }, published],
    ['about an item of a type named folder', { types: ['folder'] }, { ...published, entityType: 'folder' }],
    ['about a folder, without a filter', {}, folder],
    ['about a site, without a filter', {}, site],
  ])('triggers a webhook %s', (_name, webhook, event) => {
    expect(isTriggered({ ...subscription, ...webhook }, event)).toBe(true)
  })

  it.each<[string, Partial<Subscription>, Partial<Entry>]>([
    ['that is disabled', { enabled: false }, {}],
    ['of another repository', { repositoryId: 'REPO_2' }, {}],
    ['that is not subscribed to it', { events: ['ITEM_CREATED'] }, {}],
    ['that is subscribed to nothing', { events: [] }, {}],
    ['whose filter is of other types', { types: ['note'] }, {}],
    ['whose filter differs by case', { types: ['Article'] }, {}],
    ['whose filter holds a longer name', { types: ['articles'] }, {}],
    ['with a filter, when it is about a folder', { types: ['article'] }, folder],
    ['with a filter for folder, when it is about a folder', { types: ['folder'] }, folder],
    ['with a filter, when it is about a site', { types: ['article', 'site'] }, site],
    ['of any kind, when it is a merge', {}, { event: 'PACKAGE_MERGED', entityType: 'package' }],
    ['of any kind, when it is a test', {}, { event: 'TEST' }],
  ])('does not trigger a webhook %s', (_name, webhook, event) => {
    expect(isTriggered({ ...subscription, ...webhook }, { ...published, ...event })).toBe(false)
  })

  it.each(webhookEvents)(
    '%s triggers a webhook that is subscribed to it, and none that is subscribed only to all others',
    (event) => {
      const isAboutItem = itemEvents.some((name) => name === event)
      const occurrence = { event, repositoryId: 'REPO_1', entityType: isAboutItem ? 'article' : 'folder' }
      const others = webhookEvents.filter((name) => name !== event)
      expect(isTriggered({ ...subscription, events: [event] }, occurrence)).toBe(true)
      expect(isTriggered({ ...subscription, events: others }, occurrence)).toBe(false)
    },
  )

  it.each(
    [true, false].flatMap((a) => [true, false].flatMap((b) => [true, false].map((c) => [a, b, c] as const))),
  )(
    'triggers only if all are true: enabled %s, same repository %s, subscribed %s',
    (enabled, isSame, isSubscribed) => {
      const webhook: Subscription = {
        enabled,
        repositoryId: isSame ? 'REPO_1' : 'REPO_2',
        events: isSubscribed ? ['ITEM_PUBLISHED'] : ['ITEM_DELETED'],
        types: ['article'],
      }
      expect(isTriggered(webhook, published)).toBe(enabled && isSame && isSubscribed)
      expect(isTriggered(webhook, { ...published, entityType: 'note' })).toBe(false)
    },
  )
})
