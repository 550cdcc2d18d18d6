import { QuireError, type Contract, type ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import type { Transaction } from '../ports/index.ts'
import { changeableRepository } from './update.ts'

/** Deletes an empty repository. Errors: `not_found`, `repository_in_use` while it holds items or packages. */
export async function deleteRepository(
  call: Call,
  { id }: ParsedOf<Contract['repositories']['delete']>,
): Promise<undefined> {
  return call.transaction(async (tx) => {
    const found = await changeableRepository(within(call, tx), id)
    if (await holdsContent(tx, found.id)) throw new QuireError('repository_in_use')
    for (const rule of await tx.records.list('autoPackageRule'))
      if (rule.repositoryId === found.id) await tx.records.delete('autoPackageRule', rule.id, rule.revision)
    for (const preset of await tx.records.list('renditionPreset'))
      if (preset.repositoryId === found.id)
        await tx.records.delete('renditionPreset', preset.id, preset.revision)
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
  const { entities } = await tx.entities.list(
    { repositoryId, packageId: null },
    {
      kind: 'item',
      reader: { types: 'all', roles: 'all' },
      archived: true,
      sort: [],
      limit: 1,
      count: false,
    },
  )
  return entities.length > 0
}
