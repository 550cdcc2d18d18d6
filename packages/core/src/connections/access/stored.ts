import type { Environment } from '../../engine/environment.ts'
import type { JsonObject } from '../../ports/index.ts'
import type { AccessConfigurationRecord } from './record.ts'
import { hideSecrets } from './hide-secrets.ts'

type Sealing = Pick<Environment, 'secrets'>

/** Members as they are kept: what is shown of them, and all of them sealed where some are secret. */
export async function storedMembers(
  { secrets }: Sealing,
  id: string,
  members: JsonObject,
): Promise<Pick<AccessConfigurationRecord, 'members' | 'sealedMembers'>> {
  const visible = hideSecrets(members)
  const text = JSON.stringify(members)
  const isSecret = JSON.stringify(visible) !== text
  return { members: visible, sealedMembers: isSecret ? await secrets.seal(text, purposeOf(id)) : null }
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
export function configurationJson({ id, name, type, members, createdDate }: AccessConfigurationRecord) {
  return { id, name, type, ...members, createdDate }
}
