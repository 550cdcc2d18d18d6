import { z } from 'zod'
import { Id, RepositoryRef, UnixMs } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { dryRun } from '../../content/items/inputs.ts'
import { limits } from '../../limits.ts'

/** What happened to one package of an agent. */
export const TakeBackOutcome = z
  .object({
    packageName: z.string(),
    action: z
      .enum(['deleted', 'reverted', 'revertOpen', 'failed'])
      .describe(
        'deleted: it was not merged; reverted: the merge was undone; revertOpen: undoing it conflicts with later changes on main, and a person has to merge `revert`; failed: nothing was done, see `error`',
      ),
    revert: z.string().optional().describe('The name of the package that undoes the merge'),
    conflicts: z.int().optional().describe('For `revertOpen`: the number of conflicts'),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'TakeBackOutcome', description: 'What happened to one package of an agent' })

/** What happened to one package of an agent. */
export type TakeBackOutcome = z.output<typeof TakeBackOutcome>

/** The operation that undoes what an agent did. */
export const packageTakeBack = {
  takeBack: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/take-back',
    summary: 'Take back all that an agent did',
    description:
      'Deletes the packages of the agent that are not merged, then reverts the merged ones and merges the reverts, newest merge first. ' +
      'Each package is a transaction of its own: one that fails stops no other. Packages that others created, and merges that are undone already, are left out. ' +
      `At most ${limits.bulkIds} packages: \`count\` is larger than the list if you have to call it again. ` +
      'Also needs `packages.delete`, and for reverts what `packages.revert` and `packages.merge` need.',
    permission: { key: 'packages.merge', on: 'repository' },
    input: z.strictObject({
      repo: RepositoryRef,
      agent: Id.describe('The account, as in `agent` of its packages'),
      since: UnixMs.optional().describe('Only packages that it created at this time or later'),
      dryRun,
    }),
    output: z.object({
      count: z.int().describe('Number of packages that there were to take back'),
      items: z.array(TakeBackOutcome),
    }),
    errors: ['not_found', 'idempotency_mismatch'],
    example: {
      input: { repo: 'magazine', agent: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X' },
      output: {
        count: 2,
        items: [
          { packageName: 'agent/writer/2026-11-27-2', action: 'deleted' },
          {
            packageName: 'agent/writer/2026-11-27-1',
            action: 'revertOpen',
            revert: 'revert-agent/writer/2026-11-27-1',
            conflicts: 1,
          },
        ],
      },
    },
  }),
}
