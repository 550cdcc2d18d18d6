import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { knownMembers } from '../access-configurations/upstream.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'

type List = Contract['integrations']['list']

/** The access configurations that let requests through, without where they lead. Errors: `forbidden`. */
export async function listIntegrations(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  requirePermission(call, 'integrations.use')
  const stored = await call.store.records.list('accessConfiguration')
  const open = stored.flatMap(({ id, name, type, members }) => {
    // What is shown of them holds all that is asked here: an address and its paths are no secrets.
    const { baseUrl, allowedMethods = [], allowedPaths = [] } = knownMembers({ name, type }, members)
    const isOpen = baseUrl !== undefined && allowedMethods.length > 0 && allowedPaths.length > 0
    return isOpen ? [{ id, name, type, allowedMethods, allowedPaths }] : []
  })
  return pageOf(open, input)
}
