import { QuireError, type Contract, type PackageChange, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { baseOf, requireOpen } from '../lines/lines.ts'
import { presentChange } from './change.ts'
import { rulesOf } from './kinds.ts'
import { packageEvent, withPackage } from './record.ts'
import { mayReadHead } from './rights.ts'
import { sidesOfAll } from './sides.ts'

type Input = ParsedOf<Contract['packages']['addItem']>

/** Takes an item along untouched: from now on the package shows it as it is now. Errors: `not_found`, `forbidden`, `invalid_state`. */
export function addItem(call: Call, { id, ...ref }: Input): Promise<PackageChange> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(inside, tx, place) {
      requireOpen(place.package)
      const head = await tx.entities.get(place.line, 'item', id)
      if (!head || head.deletedDate !== null || !mayReadHead(inside, head))
        throw new QuireError('not_found', 'There is no such item that you may read.')
      if (head.packageId === null) {
        await rulesOf('item').land(inside, tx, {
          place,
          previous: head,
          origin: head,
          content: null,
          marks: () => ({ base: baseOf(head) }),
          events: [],
          details: {},
        })
        await tx.journal.record(
          packageEvent(inside, 'PACKAGE_ITEM_ADDED', { about: place.package, details: { item: id } }),
        )
      }
      const [change] = await sidesOfAll(tx.entities, place, [{ kind: 'item', id }])
      if (!change) throw new TypeError(`The item ${id} was not taken in.`)
      return presentChange(change)
    },
  })
}
