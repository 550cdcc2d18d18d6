import type { Issue } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import type { Entity, Branch } from '../../ports/index.ts'
import { targetsOf, type Target } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { checkValues, missingValues } from '../types/values.ts'
import { assetIn, fileProblem } from './asset.ts'
import { contentOf } from './content.ts'

/** Everything that stops a publish: required values, values that no longer fit the type, references to nothing or to the wrong kind of thing. */
export async function publishIssues(call: Call, head: Entity): Promise<Issue[]> {
  const type = await typeOf(call, head)
  const { asset, fields } = contentOf(head)
  if (!type.settings.publishable)
    return [{ path: 'type', message: `items of the type "${type.name}" are not published` }]
  const { issues } = await checkValues(type.fields, fields)
  return [
    ...(type.settings.isAsset && !asset ? [{ path: 'asset', message: 'has no file yet' }] : []),
    ...issues,
    ...missingValues(type.fields, fields),
    ...(await targetIssues(call, head, targetsOf(type.fields, fields))),
  ]
}

async function targetIssues(call: Call, head: Entity, targets: readonly Target[]): Promise<Issue[]> {
  const branch: Branch = { repositoryId: head.repositoryId, packageId: head.packageId }
  const issues = targets.map(async (target): Promise<Issue[]> => {
    const found = await call.store.entities.get(branch, target.kind, target.id)
    const message = targetProblem(target, found)
    return message === null ? [] : [{ path: target.path, message }]
  })
  return (await Promise.all(issues)).flat()
}

function targetProblem({ id, types, taxonomyId, file }: Target, found: Entity | null): string | null {
  if (!found || found.deletedDate !== null) return `refers to "${id}", which is not there`
  if (types.length > 0 && !types.includes(found.type))
    return `refers to "${id}", which is no ${types.join(' or ')}`
  if (taxonomyId !== null && found.body['taxonomyId'] !== taxonomyId) return `"${id}" is of another taxonomy`
  const unfit = file && fileProblem(assetIn(found.body), file)
  return unfit ? `"${id}" ${unfit}` : null
}
