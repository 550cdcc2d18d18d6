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
  permission: 'admin.settings.view',
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
    'Only what is sent changes (RFC 7396); null gives a setting its default again. What is kept for fewer days from now on is ' +
    'removed when the service next cleans up.',
  permission: 'admin.settings.update',
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
