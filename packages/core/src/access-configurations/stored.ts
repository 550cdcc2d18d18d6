import type { AccessConfiguration } from '@quire/contract'
import { Presented } from '../call/answer.ts'
import type { Environment } from '../call/environment.ts'
import { recordTag } from '../call/records.ts'
import type { AccessConfigurationRecord, JsonObject, Stored } from '../ports/index.ts'
import { hideSecrets } from './hide-secrets.ts'

type Sealing = Pick<Environment, 'secrets'>

/** Members as they are kept: what is shown of them, and all of them sealed where some are secret. */
export async function keptMembers(
  { secrets }: Sealing,
  id: string,
  members: JsonObject,
): Promise<Pick<AccessConfigurationRecord, 'members' | 'sealedMembers'>> {
  const shown = hideSecrets(members)
  const text = JSON.stringify(members)
  const isSecret = JSON.stringify(shown) !== text
  return { members: shown, sealedMembers: isSecret ? await secrets.seal(text, purposeOf(id)) : null }
}

/** The members with their secrets, for whoever sends them to the upstream. Errors: throws when they were sealed elsewhere. */
export async function openedMembers(
  { secrets }: Sealing,
  { id, members, sealedMembers }: AccessConfigurationRecord,
): Promise<JsonObject> {
  if (sealedMembers === null) return members
  const opened: JsonObject = JSON.parse(await secrets.open(sealedMembers, purposeOf(id)))
  return opened
}

/** What is sealed for one configuration opens for no other. */
function purposeOf(id: string): string {
  return `access ${id}`
}

/** A configuration without its secrets. */
export function shownConfiguration({ id, name, type, members, createdDate }: AccessConfigurationRecord) {
  return { id, name, type, ...members, createdDate }
}

/** A configuration as it is answered. */
export function presentConfiguration(stored: Stored<'accessConfiguration'>): Presented<AccessConfiguration> {
  return new Presented(JSON.stringify(shownConfiguration(stored)), recordTag(stored))
}
