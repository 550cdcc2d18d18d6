import type { Contract, ParsedOf, Repository } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord } from '../call/records.ts'
import { requireFreeWord } from './name.ts'

/** Creates an empty repository. Errors: `name_taken`; `invalid` for a reserved name. */
export async function createRepository(
  call: Call,
  input: ParsedOf<Contract['repositories']['create']>,
): Promise<Presented<Repository>> {
  requirePermission(call, 'admin.repositories.update')
  requireFreeWord(input.name)
  const repository: Repository = {
    id: call.environment.ids.next('REPO'),
    name: input.name,
    displayName: input.displayName ?? input.name,
    description: input.description,
    public: input.public,
    settings: input.settings,
    createdDate: call.now,
    updatedDate: call.now,
  }
  return call.transaction(async (tx) => {
    const stored = await tx.records.put('repository', repository, 0)
    await tx.journal.record(
      recordEvent(call, 'REPOSITORY_CREATED', { kind: 'repository', id: stored.id, repositoryId: stored.id }),
    )
    return presentRecord<'repository'>(stored)
  })
}
