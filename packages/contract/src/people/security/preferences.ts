import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { limits } from '../../limits.ts'

const visited = {
  name: z.string().max(limits.name).optional().describe('Name at the time of the visit'),
  lastVisited: z.number().min(0).max(8_640_000_000_000_000).describe('Unix milliseconds'),
}

/** User preferences, exactly as in specification 2.9 and 8: unknown members are rejected. */
export const Preferences = z
  .strictObject({
    view: z.strictObject({ defaultView: z.enum(['grid', 'list']) }).describe('How lists are shown'),
    tableColumns: z
      .array(z.string().max(limits.name))
      .max(100)
      .optional()
      .describe('Columns that tables show'),
    recentRepositories: z
      .array(z.strictObject({ CACHE_ROOT: z.string().min(1).max(limits.name), ...visited }))
      .max(limits.recents)
      .optional()
      .describe('Most recently visited repositories, newest first, at most 3'),
    recentSites: z
      .array(z.strictObject({ id: Id, ...visited }))
      .max(limits.recents)
      .optional()
      .describe('Most recently visited sites, newest first, at most 3'),
    detailPaneColumns: z.int().min(1).max(5).default(2).describe('Columns of the detail pane, 1 to 5'),
    theme: z.enum(['dark', 'light']).default('dark').describe('Color theme'),
    uiVersion: z.enum(['content', 'content2']).default('content2').describe('Version of the user interface'),
  })
  .meta({ id: 'Preferences', description: 'User preferences (specification 2.9)' })

/** User preferences, as stored. */
export type Preferences = z.output<typeof Preferences>

/** The preferences of a user who has not set any (specification 2.9). */
export const defaultPreferences: Preferences = {
  view: { defaultView: 'grid' },
  detailPaneColumns: 2,
  theme: 'dark',
  uiVersion: 'content2',
}
