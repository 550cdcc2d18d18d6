import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { findPlace } from '../lines/lines.ts'
import { changesBetween } from '../merge/changes.ts'
import { asJson, contentOf } from './content.ts'
import { findItem } from './find.ts'
import { versionNamed } from './shown-version.ts'

type Diff = Contract['items']['diff']

/** What differs between two versions, field by field. Errors: `not_found`. */
export async function diffItem(call: Call, input: ParsedOf<Diff>): Promise<OutputOf<Diff>> {
  const place = await findPlace(call, input)
  const head = await findItem(call, place, input.id)
  const from = await versionNamed(call, { place, head, name: input.from })
  const to = await versionNamed(call, { place, head, name: input.to ?? 'latest' })
  const changes = changesBetween(asJson(contentOf(from)), asJson(contentOf(to)))
  return { from: from.version, to: to.version, changes }
}
