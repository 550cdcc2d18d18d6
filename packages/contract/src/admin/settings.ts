import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Settings, settingMembers } from './settings-shapes.ts'

const { jobsKeptDays, deliveriesKeptDays, deletedItemsKeptDays } = settingMembers

const exampleSettings: Settings = {
  id: 'settings',
  jobsKeptDays: 30,
  deliveriesKeptDays: 30,
  deletedItemsKeptDays: 30,
  updatedDate: null,
}

/** Reads the settings. */
export const settings = endpoint({
  binding: 'GET /api/admin/settings',
  summary: 'Read the settings of the service',
  permission: { key: 'admin.settings.view', on: 'global' },
  input: z.strictObject({}),
  output: Settings,
  errors: [],
  example: { input: {}, output: exampleSettings },
})

/** Changes the settings. */
export const updateSettings = endpoint({
  binding: 'PATCH /api/admin/settings',
  withoutRoom: true,
  summary: 'Change the settings of the service',
  description:
    'Only the members that are sent change (RFC 7396); null resets a setting to its default. After a period is shortened, older records are ' +
    'removed by the next cleanup.',
  permission: { key: 'admin.settings.update', on: 'global' },
  input: z.strictObject({
    jobsKeptDays: jobsKeptDays.nullable().optional(),
    deliveriesKeptDays: deliveriesKeptDays.nullable().optional(),
    deletedItemsKeptDays: deletedItemsKeptDays.nullable().optional(),
  }),
  output: Settings,
  errors: ['precondition_failed'],
  example: {
    input: { jobsKeptDays: 7 },
    output: { ...exampleSettings, jobsKeptDays: 7, updatedDate: 1_790_001_000_000 },
  },
})
