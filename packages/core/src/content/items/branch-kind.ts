import { ItemContent, parseAs, type Field } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { rulesOf } from '../fields/index.ts'
import type { ContentTarget, BranchKind, ValueInUse } from '../kinds/branch-kind.ts'
import type { QueryValue } from '../../ports/index.ts'
import { targetsOf } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { checkValues } from '../types/values.ts'
import { uniqueValues, valuesInUse } from './check.ts'
import { asContent, asJson, contentOf, emptyContent, type ItemContent as Content } from './content.ts'
import { applyItem } from './apply.ts'
import { publishIssues } from './publishable.ts'
import { strategiesOf } from './strategies.ts'

/** Items in packages. */
export const itemKind: BranchKind = {
  kind: 'item',
  events: {
    created: 'ITEM_CREATED',
    updated: 'ITEM_UPDATED',
    deleted: 'ITEM_DELETED',
    restored: 'ITEM_UNDELETED',
  },
  keys: { read: 'items.read', update: 'items.update', delete: 'items.delete' },
  states: {
    events: {
      archived: 'ITEM_ARCHIVED',
      unarchived: 'ITEM_UNARCHIVED',
      published: 'ITEM_PUBLISHED',
      unpublished: 'ITEM_UNPUBLISHED',
    },
    publishKey: 'items.publish',
    isPublishable: async (call, type) => (await typeOf(call, { type })).settings.publishable,
    publishIssues,
  },
  target: ({ repositoryId, type }) => ({ repositoryId, type }),
  tree: null,
  calledBy: null,
  content: (version) => asJson(contentOf(version)),
  readers: (content) => asContent(content, emptyContent).readPerm,
  strategies: async (call, type) => strategiesOf(await typeOf(call, { type })),
  targets: async (call, type, content) => itemTargets(call, type, asContent(content, emptyContent)),
  async issues(call, type, content) {
    const { fields } = await typeOf(call, { type })
    const { issues } = await checkValues(fields, asContent(content, emptyContent).fields)
    return issues
  },
  async claims(call, type, content) {
    const { name, fields } = await typeOf(call, { type })
    const { slug, fields: values } = asContent(content, emptyContent)
    const unique = uniqueValues(fields, values).map(({ field, value }) =>
      uniqueClaim(name, field.name, value),
    )
    return [`slug ${slug}`, ...unique]
  },
  // Whoever could give one would read any file whose hash is known.
  bySideOnly: ['asset'],
  misshapes(content) {
    const parsed = parseAs(ItemContent, content)
    return 'issues' in parsed ? parsed.issues : []
  },
  async inUse(call, { scope, id, type, content }): Promise<ValueInUse[]> {
    const values = asContent(content, emptyContent).fields
    const definition = await typeOf(call, { type })
    const inUse = await valuesInUse(call.store.entities, {
      branch: scope.branch,
      type: definition,
      values,
      id,
    })
    return inUse.map(({ field, value, holderId }) => ({
      path: `fields.${field}`,
      holderId,
      claim: uniqueClaim(definition.name, field, value),
    }))
  },
  apply: applyItem,
  // Nothing is kept of what items are called.
  uncover: async () => undefined,
}

function uniqueClaim(type: string, field: string, value: QueryValue): string {
  return `${type} ${field} ${value}`
}

async function itemTargets(
  call: Call,
  type: string,
  { folderId, categories, fields }: Content,
): Promise<ContentTarget[]> {
  const definition = (await typeOf(call, { type })).fields
  const values = targetsOf(definition, fields)
  return [
    ...values.map(({ path, kind, id }) => ({ path: wholePath(definition, path), kind, id, required: false })),
    ...categories.map((id) => ({ path: 'categories', kind: 'category' as const, id, required: true })),
    ...(folderId === null
      ? []
      : [{ path: 'folderId', kind: 'folder' as const, id: folderId, required: true }]),
  ]
}

/** The path of the value that merges as one: of a reference within a list or a block, that of the list or block. */
function wholePath(fields: readonly Field[], path: string): string {
  const [root, ...names] = path.split('.')
  const stored = [root]
  let level: readonly Field[] = fields
  for (const name of names) {
    stored.push(name)
    const field = level.find((candidate) => candidate.name === name)
    level = field && !field.list ? rulesOf(field).members(field.settings) : []
    if (level.length === 0) break
  }
  return stored.join('.')
}
