import type { EntityWrite, Branch, TextQuery } from '@quire/core/ports'
import { visible, type BranchModel } from './branch-model.ts'
import { oracleMatches, oracleSees } from './oracle.ts'
import { files } from './random-heads.ts'
import { oracleTier } from './search-oracle.ts'

/** The query of a list or a facet. */
type HeadQuery = Parameters<typeof oracleSees>[1] & {
  readonly filter?: Parameters<typeof oracleMatches>[1]
  readonly text?: TextQuery
}

/**
 * The heads of a model that a branch shows and that match, in no particular order, found by
 * checking each one.
 */
export function matching(model: BranchModel, branch: Branch, query: HeadQuery): readonly EntityWrite[] {
  const { text, filter: wanted } = query
  return visible(model, branch)
    .map(({ write }) => write)
    .filter((write) => oracleSees(write, query) && (!wanted || oracleMatches(write, wanted)))
    .filter(({ search }) => !text || (search && oracleTier(search, files, text) !== null))
}
