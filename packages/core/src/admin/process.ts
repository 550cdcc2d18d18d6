import { QuireError, type Contract, type OutputOf, type ParsedOf, type PermissionKey } from '@quire/contract'
import { mayDo } from '../engine/access/permissions.ts'
import { notPermitted, type Call, type WriteCall } from '../engine/call.ts'
import { newJob } from '../engine/job.ts'
import { byIdOrName, maySeeRepository } from '../engine/scope.ts'
import type { Job, Stored } from '../ports/index.ts'

type Process = Contract['admin']['process']
type Input = ParsedOf<Process>

/** What lets one ask for it (specification 5.2.7): any of these, on the repository. */
const keys: readonly PermissionKey[] = ['admin.repositories.crawl', 'admin.repositories.migration.run']

/** What can be asked for, and the kind of job that does it. */
export const steps = [
  { asked: 'syncAssets', kind: 'assets.sync', what: 'the asset sync' },
  { asked: 'syncDocs', kind: 'docs.sync', what: 'the document sync' },
  { asked: 'reloadGraph', kind: 'graph.reload', what: 'the graph reload' },
] as const

/**
 * Queues what is asked for; what has not ended since it was last asked for is joined. Errors: `not_found`; `forbidden` without one of
 * the keys on the repository.
 */
export async function processRepository(call: Call, { id, ...asked }: Input): Promise<OutputOf<Process>> {
  const wanted = steps.filter((step) => asked[step.asked] === true)
  return call.write(async (call) => {
    const repository = await processable(call, id)
    const begun: Begun[] = []
    for (const step of wanted) begun.push(await begin(call, { step, repository }))
    return { message: messageOf(begun) }
  })
}

/** The repository, for whoever may have it processed. Who may only see it is refused; to others it is not there. */
async function processable(call: Call, ref: string): Promise<Stored<'repository'>> {
  const found = await byIdOrName(call.store.records, 'repository', ref)
  const may = found && keys.some((key) => mayDo(call.identity.permissions, key, { repositoryId: found.id }))
  if (found && may) return found
  if (found && maySeeRepository(call, found.id)) throw notPermitted(keys)
  throw new QuireError('not_found', `There is no repository "${ref}" that you may see.`)
}

interface Begun {
  readonly what: string
  readonly job: Job
  /** Whether it was in the queue before. */
  readonly isJoined: boolean
}

async function begin(
  call: WriteCall,
  { step: { kind, what }, repository }: { step: (typeof steps)[number]; repository: Stored<'repository'> },
): Promise<Begun> {
  const { id: repositoryId } = repository
  const wanted = newJob(call, {
    kind,
    repositoryId,
    subject: repositoryId,
    key: `${kind}:${repositoryId}`,
    maxAttempts: 3,
  })
  const job = await call.enqueue(wanted)
  return { what, job, isJoined: job.id !== wanted.id }
}

function messageOf(begun: readonly Begun[]): string {
  if (begun.length === 0)
    return 'Nothing was asked for: say syncAssets, syncDocs or reloadGraph, and nothing is done without one of them.'
  const named = (isJoined: boolean) =>
    begun
      .filter((one) => one.isJoined === isJoined)
      .map(({ what, job }) => `${what} (${job.id})`)
      .join(', ')
  const sentences = [
    ...(named(false) === '' ? [] : [`Queued: ${named(false)}.`]),
    ...(named(true) === '' ? [] : [`Not ended yet since it was last asked for: ${named(true)}.`]),
  ]
  return [...sentences, 'Follow them at /api/queue.'].join(' ')
}
