import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { knownMembers } from '../access-configurations/upstream.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import { modelType } from './model-upstream.ts'

type List = Contract['ai']['providers']

/** The access configurations of language models, without where they lead. Errors: `forbidden`. */
export async function listProviders(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  requirePermission(call, 'ai.use')
  const stored = await call.store.records.list('accessConfiguration')
  const providers = stored.flatMap(({ id, name, type, members }) => {
    const { baseUrl, model = null } = knownMembers({ name, type }, members)
    return type === modelType && baseUrl !== undefined ? [{ id, name, model }] : []
  })
  return pageOf(providers, input)
}
