import type { Contract, Package, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { packageEvent, presentPackage, storeChanged, withPackage } from './record.ts'

/** Changes the description. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export function updatePackage(
  call: Call,
  { description, ...ref }: ParsedOf<Contract['packages']['update']>,
): Promise<Presented<Package>> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(inside, tx, { package: found }) {
      if (description === undefined || description === found.description) return presentPackage(found)
      const stored = await storeChanged(inside, tx, { ...found, description })
      await tx.journal.record(packageEvent(inside, 'PACKAGE_UPDATED', { about: stored }))
      return presentPackage(stored)
    },
  })
}
