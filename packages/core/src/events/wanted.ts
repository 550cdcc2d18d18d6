import { QuireError, type Contract, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { findRepository } from '../lines/lines.ts'
import type { JournalRow } from '../ports/index.ts'

/** What of the journal somebody follows. */
export interface Wanted {
  /** The one repository that all of it is of; undefined: several, or any. */
  readonly repositoryId: string | undefined
  /** Whether an entry is of it. */
  readonly isWanted: (row: JournalRow) => boolean
}

type Input = ParsedOf<Contract['events']['stream']>

/** What an input asks for. Errors: `invalid` naming a repository that is not there, in the same words for one that the caller may not see. */
export async function wantedBy(call: Call, { repositories, events }: Input): Promise<Wanted> {
  const ids = repositories && (await repositoryIds(call, repositories))
  const words = events && new Set<string>(events)
  return {
    repositoryId: ids?.size === 1 ? [...ids][0] : undefined,
    isWanted: ({ repositoryId, event }) => (ids?.has(repositoryId) ?? true) && (words?.has(event) ?? true),
  }
}

async function repositoryIds(call: Call, refs: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const [index, ref] of refs.entries()) ids.add(await repositoryId(call, ref, `repositories.${index}`))
  return ids
}

async function repositoryId(call: Call, ref: string, path: string): Promise<string> {
  try {
    return (await findRepository(call, ref)).id
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found')
      throw invalid([{ path, message: error.message }])
    throw error
  }
}
