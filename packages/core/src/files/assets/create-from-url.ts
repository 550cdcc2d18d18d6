import type { Contract, Item, ParsedOf } from '@quire/contract'
import type { Answer } from '../../engine/answer.ts'
import { inContext, withCurrentRights, type Call } from '../../engine/call.ts'
import { answerIdempotently, storedAnswer } from '../../engine/idempotency.ts'
import { requireQuotaFor } from '../../engine/quotas.ts'
import type { Scope } from '../../engine/scope.ts'
import { requireMayCreate } from '../../content/items/find.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import { saveAsset } from './create.ts'
import { fetchFile } from './fetch/fetch-file.ts'
import { takeFile } from './file-text.ts'
import { hookedInput } from './hooked-input.ts'
import { requireUploader } from './intake.ts'

type Input = ParsedOf<Contract['assets']['createFromUrl']>

/**
 * Fetches a file, then creates an asset from it in one transaction, as `assets.create` does. What
 * the caller may do is checked before and after the fetch. Errors: those of `fetchFile` and
 * `saveAsset`; `not_found` for the repository or package.
 */
export async function createFromUrl(call: Call, { url, fileName, ...members }: Input): Promise<Answer<Item>> {
  // Under the key of a call of this operation, only its answers are stored.
  const replayed = call.once && ((await storedAnswer(call, call.once)) as Answer<Item> | null)
  if (replayed) return replayed
  const scope = await requireCreator(call, members)
  await requireQuotaFor(call, scope.repository.id, { versions: 1, items: 1 })
  const file = await fetchFile(call, { scope, url, fileName, type: members.type })
  call.signal?.throwIfAborted()
  const current = await withCurrentRights(call)
  const input = await hookedInput(current, await requireCreator(current, members), { ...members, file })
  const save = (call: Call) =>
    call.write(async (call) => {
      const scope = await requireCreator(call, input)
      const asset = await takeFile(call.store, file)
      return serializeHead(call, scope.branch, await saveAsset(call, { scope, input, asset }))
    })
  const saving = inContext(current, input)
  const { once } = saving
  // As above.
  return once ? (answerIdempotently(saving, once, save) as Promise<Answer<Item>>) : save(saving)
}

/**
 * The scope of a new asset, for a caller who may create it there. Errors: `not_found`, `forbidden`,
 * `invalid_state`.
 */
async function requireCreator(call: Call, input: Omit<Input, 'url' | 'fileName'>): Promise<Scope> {
  const scope = await requireUploader(call, input)
  requireMayCreate(call, scope.branch, input.type)
  return scope
}
