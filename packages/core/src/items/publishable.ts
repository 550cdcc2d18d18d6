import type { Issue } from '@quire/contract'
import type { Call } from '../call/call.ts'
import type { Edge, Entity, EntityKind, Line } from '../ports/index.ts'
import { edgesOf } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { checkValues, missingValues } from '../types/values.ts'
import { contentOf } from './content.ts'

/** Everything that stops a publish: required values, values that no longer fit the type, references to nothing. */
export async function publishIssues(call: Call, head: Entity): Promise<Issue[]> {
  const type = await typeOf(call, head)
  const { fields } = contentOf(head)
  if (!type.settings.publishable)
    return [{ path: 'type', message: `items of the type "${type.name}" are not published` }]
  const { issues } = await checkValues(type.fields, fields)
  return [
    ...issues,
    ...missingValues(type.fields, fields),
    ...(await deadReferences(call, head, edgesOf(type.fields, fields))),
  ]
}

async function deadReferences(call: Call, head: Entity, edges: readonly Edge[]): Promise<Issue[]> {
  const line: Line = { repositoryId: head.repositoryId, packageId: head.packageId }
  const issues = edges.map(async ({ path, targetId }): Promise<Issue[]> => {
    const target = await call.store.entities.get(line, kindOf(targetId), targetId)
    if (target && target.deletedDate === null) return []
    return [{ path: `fields.${path}`, message: `refers to "${targetId}", which is not there` }]
  })
  return (await Promise.all(issues)).flat()
}

function kindOf(id: string): EntityKind {
  return id.startsWith('CATG_') ? 'category' : 'item'
}
