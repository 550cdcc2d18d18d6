import type { Call } from '../call/call.ts'
import type { ContentTarget, LineKind, TakenValue } from '../lines/line-kind.ts'
import { targetsOf } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { checkValues } from '../types/values.ts'
import { takenValues } from './check.ts'
import { asContent, asJson, contentOf, emptyContent, type ItemContent } from './content.ts'
import { landItem } from './land.ts'
import { publishIssues } from './publishable.ts'
import { strategiesOf } from './strategies.ts'

/** Items in packages. */
export const itemKind: LineKind = {
  kind: 'item',
  events: {
    created: 'ITEM_CREATED',
    updated: 'ITEM_UPDATED',
    deleted: 'ITEM_DELETED',
    restored: 'ITEM_UNDELETED',
    archived: 'ITEM_ARCHIVED',
    unarchived: 'ITEM_UNARCHIVED',
    published: 'ITEM_PUBLISHED',
    unpublished: 'ITEM_UNPUBLISHED',
  },
  readKey: 'items.read',
  content: (version) => asJson(contentOf(version)),
  strategies: async (call, type) => strategiesOf(await typeOf(call, { type })),
  targets: async (call, type, content) => itemTargets(call, type, asContent(content, emptyContent)),
  async issues(call, type, content) {
    const { fields } = await typeOf(call, { type })
    const { issues } = await checkValues(fields, asContent(content, emptyContent).fields)
    return issues
  },
  async taken(call, { place, id, type, content }): Promise<TakenValue[]> {
    const values = asContent(content, emptyContent).fields
    const at = { line: place.line, type: await typeOf(call, { type }), values, id }
    return takenValues(call.store.entities, at)
  },
  isPublishable: async (call, type) => (await typeOf(call, { type })).settings.publishable,
  publishIssues,
  land: landItem,
}

async function itemTargets(
  call: Call,
  type: string,
  { folderId, categories, fields }: ItemContent,
): Promise<ContentTarget[]> {
  const values = targetsOf((await typeOf(call, { type })).fields, fields)
  return [
    ...values.map(({ path, kind, id }) => ({ path, kind, id, required: false })),
    ...categories.map((id) => ({ path: 'categories', kind: 'category' as const, id, required: true })),
    ...(folderId === null
      ? []
      : [{ path: 'folderId', kind: 'folder' as const, id: folderId, required: true }]),
  ]
}
