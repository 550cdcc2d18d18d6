import type { AnswerInfo } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const defaults = {
  id: 'settings',
  jobsKeptDays: 30,
  deliveriesKeptDays: 30,
  deletedItemsKeptDays: 30,
  updatedDate: null,
}

export function settingsTests(bench: () => Bench): void {
  describe('settings', () => {
    it('have defaults, change one by one, and return to the default with null', async () => {
      const { api, scope } = bench()
      const { admin } = api
      expect(await admin.settings()).toEqual(defaults)
      const updatedDate = scope.clock.advance(1000)
      expect(await admin.updateSettings({ jobsKeptDays: 7 })).toEqual({
        ...defaults,
        jobsKeptDays: 7,
        updatedDate,
      })
      const both = { ...defaults, jobsKeptDays: 7, deletedItemsKeptDays: 90, updatedDate }
      expect(await admin.updateSettings({ deletedItemsKeptDays: 90 })).toEqual(both)
      expect(await admin.settings()).toEqual(both)
      expect(await admin.updateSettings({ jobsKeptDays: null, deletedItemsKeptDays: null })).toEqual({
        ...defaults,
        updatedDate,
      })
    })

    it.each([
      [{ jobsKeptDays: 0 }, ['jobsKeptDays']],
      [{ jobsKeptDays: 3651 }, ['jobsKeptDays']],
      [{ deliveriesKeptDays: 1.5 }, ['deliveriesKeptDays']],
      [{ deletedItemsKeptDays: '30' }, ['deletedItemsKeptDays']],
      [{ id: 'other' }, ['id']],
      [{ journalKeptDays: 5 }, ['journalKeptDays']],
    ])('refuse %j and stay as they are', async (patch, paths) => {
      const { admin } = bench().api
      const before = await admin.settings()
      expect(await invalidAt(admin.updateSettings(patch as never))).toEqual(paths)
      expect(await admin.settings()).toEqual(before)
      for (const days of [1, 3650]) await admin.updateSettings({ jobsKeptDays: days })
      await admin.updateSettings({ jobsKeptDays: null })
    })

    it('refuse a stale If-Match, even if never set, and let one of several concurrent changes win', async () => {
      const { api } = bench()
      const tags: (string | null)[] = []
      const onAnswer = ({ etag }: AnswerInfo) => void tags.push(etag)
      await api.admin.settings({}, { onAnswer })
      await api.admin.updateSettings({ jobsKeptDays: 10 }, { ifMatch: tags[0] ?? '', onAnswer })
      await failing(
        api.admin.updateSettings({ jobsKeptDays: 11 }, { ifMatch: tags[0] ?? '' }),
        'precondition_failed',
      )
      expect(await api.admin.settings({}, { onAnswer })).toMatchObject({ jobsKeptDays: 10 })
      expect(tags[2]).toBe(tags[1])
      const races = Array.from({ length: 5 }, (_, index) =>
        api.admin.updateSettings({ jobsKeptDays: 20 + index }, { ifMatch: tags[1] ?? '' }).then(
          () => 'won',
          () => 'lost',
        ),
      )
      expect((await Promise.all(races)).toSorted()).toEqual(['lost', 'lost', 'lost', 'lost', 'won'])
    })

    it('record changes in the security audit', async () => {
      const { admin, security } = bench().api
      await admin.updateSettings({ deliveriesKeptDays: null })
      await admin.updateSettings({ deliveriesKeptDays: 5 })
      const { items } = await security.audit({ limit: 1 })
      expect(items).toMatchObject([
        {
          event: 'SETTINGS_UPDATED',
          entityType: 'settings',
          entityId: 'settings',
          changed: { deliveriesKeptDays: { from: 30, to: 5 } },
        },
      ])
    })

    it('require their permission keys', async () => {
      const { as, anonymous } = bench()
      const viewer = await as({ permissions: { global: ['admin.settings.view'] } })
      expect(await viewer.admin.settings()).toMatchObject({ id: 'settings' })
      const developer = await as({ bundles: ['bundle.developer'] })
      await allFailing(
        [
          viewer.admin.updateSettings({ jobsKeptDays: 5 }),
          developer.admin.settings(),
          developer.admin.updateSettings({}),
        ],
        'forbidden',
      )
      await failing(anonymous.admin.settings(), 'unauthorized')
      const editor = await as({ permissions: { global: ['admin.settings.update'] } })
      await editor.admin.updateSettings({ jobsKeptDays: null })
      await failing(editor.admin.settings(), 'forbidden')
    })
  })
}
