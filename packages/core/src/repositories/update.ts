import type { Contract, ParsedOf, Repository } from '@quire/contract'
import { mayDo } from '../access/permissions.ts'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord, requireRecord, sentMembers } from '../call/records.ts'
import { byIdOrName, findRepository } from '../lines/lines.ts'
import type { Stored } from '../ports/index.ts'
import { securityEvent } from '../security/audit.ts'
import { requireFreeWord } from './name.ts'

type Input = ParsedOf<Contract['repositories']['update']>

/** Changes what is sent. Errors: `not_found`, `name_taken`, `precondition_failed`. */
export async function updateRepository(call: Call, { id, ...patch }: Input): Promise<Presented<Repository>> {
  if (patch.name !== undefined) requireFreeWord(patch.name)
  return call.transaction(async (tx) => {
    const found = await changeableRepository(within(call, tx), id)
    const { revision, ...repository } = found
    const changed: Repository = {
      ...repository,
      name: patch.name ?? repository.name,
      displayName: patch.displayName ?? repository.displayName,
      description: patch.description ?? repository.description,
      public: patch.public ?? repository.public,
      settings: mergedSettings(repository.settings, patch.settings),
      updatedDate: call.now,
    }
    const stored = await tx.records.put('repository', changed, revision)
    await tx.journal.record(
      recordEvent(call, 'REPOSITORY_UPDATED', { kind: 'repository', id: stored.id, repositoryId: stored.id }),
    )
    if (changed.public !== repository.public)
      await tx.journal.record(
        securityEvent(call, 'REPOSITORY_UPDATED', {
          kind: 'repository',
          id: stored.id,
          before: { public: repository.public },
          after: { public: changed.public },
        }),
      )
    return presentRecord<'repository'>(stored)
  })
}

/** A repository that the caller may change. Errors: `not_found` when the caller may not see it, `forbidden` when only that. */
export async function changeableRepository(call: Call, ref: string): Promise<Stored<'repository'>> {
  const found = await byIdOrName(call.store.records, 'repository', ref)
  const may =
    found && mayDo(call.identity.permissions, 'admin.repositories.update', { repositoryId: found.id })
  if (found && may) return requireRecord<'repository'>(call, found, `repository "${ref}"`)
  const seen = await findRepository(call, ref)
  requirePermission(call, 'admin.repositories.update', { repositoryId: seen.id })
  return seen
}

function mergedSettings(
  settings: Repository['settings'],
  patch: Input['settings'] = {},
): Repository['settings'] {
  return {
    workflow: { ...settings.workflow, ...sentMembers(patch.workflow) },
    allowedTypes: patch.allowedTypes ?? settings.allowedTypes,
    assets: { ...settings.assets, ...sentMembers(patch.assets) },
    ai: { ...settings.ai, ...sentMembers(patch.ai) },
    graphql: { ...settings.graphql, ...sentMembers(patch.graphql) },
  }
}
