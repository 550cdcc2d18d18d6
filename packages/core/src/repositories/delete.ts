import { QuireError, type Contract, type ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { entityKinds, type Transaction } from '../ports/index.ts'
import { changeableRepository } from './update.ts'

// What goes with a repository.
const ownKinds = [
  'autoPackageRule',
  'renditionPreset',
  'savedQuery',
  'indexRebuild',
  'webhook',
  'workflow',
] as const

/** Deletes an empty repository. Errors: `not_found`, `repository_in_use` while it holds anything. */
export async function deleteRepository(
  call: Call,
  { id }: ParsedOf<Contract['repositories']['delete']>,
): Promise<undefined> {
  return call.transaction(async (tx) => {
    const found = await changeableRepository(within(call, tx), id)
    if (await holdsContent(tx, found.id)) throw new QuireError('repository_in_use')
    for (const kind of ownKinds)
      for (const record of await tx.records.list(kind))
        if (record.repositoryId === found.id) await tx.records.delete(kind, record.id, record.revision)
    const structure = await tx.records.get('structure', found.id)
    if (structure) await tx.records.delete('structure', structure.id, structure.revision)
    await tx.records.delete('repository', found.id, found.revision)
    await tx.journal.record(
      recordEvent(call, 'REPOSITORY_DELETED', { kind: 'repository', id: found.id, repositoryId: found.id }),
    )
    return undefined
  })
}

async function holdsContent(tx: Transaction, repositoryId: string): Promise<boolean> {
  const packages = await tx.records.list('package')
  if (packages.some((record) => record.repositoryId === repositoryId && record.state !== 'deleted'))
    return true
  for (const kind of entityKinds) {
    const { entities } = await tx.entities.list(
      { repositoryId, packageId: null },
      {
        kind,
        reader: { types: 'all', roles: 'all' },
        archived: true,
        sort: [],
        limit: 1,
        count: false,
      },
    )
    if (entities.length > 0) return true
  }
  return false
}
