import { contract, QuireError } from '@quire/contract'
import { z } from 'zod'
import { cursor, id, intoPackage, limit, locale, repository, thePackage } from '../inputs.ts'
import { taskPackage, type TaskPackage } from '../task.ts'
import { readOnly, tool, writesInPackage, type ToolCall } from '../tool.ts'
import { itemLink } from '../uris.ts'
import { itemView } from './item-view.ts'

const created = contract.items.create.input.shape
const updated = contract.items.update.input.shape

const fields = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Values by field, as `schema` describes them: only those that are sent change, null removes one, lists are replaced as a whole',
  )

/** Creates or changes an item in the package of the task. */
export const draft = tool({
  name: 'draft',
  title: 'Draft an item',
  description:
    'Create an item (`type` and `name`), or change one (`id`), in the package of your task. Nothing appears on main until a person merges. Returns the name of the package: send it with every further call.',
  input: z.strictObject({
    repository,
    packageName: intoPackage,
    id: id.optional().describe('The item to change. Default: a new one'),
    type: created.type.optional().describe('Of a new item'),
    name: created.name.optional(),
    slug: created.slug,
    description: created.description,
    folderId: created.folderId,
    categories: created.categories,
    fields,
    locale: created.locale,
    baseVersion: updated.baseVersion.describe('`currentVersion` of the item that you read'),
    comment: created.comment.describe('Why, for the people who review it'),
  }),
  annotations: writesInPackage,
  async run(call, { repository, packageName: named, ...input }) {
    const { id, type, name } = input
    if (id === undefined && (type === undefined || name === undefined))
      throw new QuireError('invalid', 'A new item needs `type` and `name`; to change an item, send its `id`.')
    const task = await taskPackage(call, { repository, packageName: named })
    const item = await save(call, { repository, packageName: task.packageName, input })
    const { packageName } = task
    return {
      about: aboutTask(task),
      content: { item: itemView(item, 200) },
      links: [itemLink(repository, { id: item.id, packageName })],
    }
  },
})

interface Save {
  readonly repository: string
  readonly packageName: string
  readonly input: object
}

function save({ api, options }: ToolCall, { repository, packageName, input }: Save) {
  // The contract checks the members; which ones an item may have depends on its type.
  const members = JSON.parse(JSON.stringify(input))
  return members.id === undefined
    ? api.items.create({ ...members, repositoryId: repository, packageName }, options)
    : api.items.update({ ...members, configId: repository, packageName }, options)
}

function aboutTask({ packageName, isNew }: TaskPackage): object {
  return {
    packageName,
    ...(isNew && { note: 'This package is new. Send packageName with every further call.' }),
  }
}

/** Deletes an item in the package, or drops what the package does to it. */
export const discard = tool({
  name: 'discard',
  title: 'Discard',
  description:
    '`undo`: drop what the package does to an item, which is then as on main. `delete`: delete the item in the package, and on main when it is merged.',
  input: z.strictObject({
    repository,
    packageName: intoPackage,
    id,
    action: z.enum(['undo', 'delete']),
  }),
  annotations: { ...writesInPackage, destructiveHint: true },
  async run(call, { repository, packageName: named, id, action }) {
    const { api, options } = call
    if (action === 'undo' && named === undefined)
      throw new QuireError('invalid', '`undo` needs the `packageName` in which to drop the change.')
    const task = await taskPackage(call, { repository, packageName: named })
    const { packageName } = task
    if (action === 'undo')
      await api.packages.removeChange({ repo: repository, packageName, entityId: id }, options)
    else await api.items.delete({ configId: repository, packageName, id }, options)
    return { about: { ...aboutTask(task), id, done: action } }
  },
})

/** What keeps an item from being published. */
export const validate = tool({
  name: 'validate',
  title: 'Validate an item',
  description:
    'List what prevents an item from being published, field by field. Do it before you ask for review.',
  input: z.strictObject({ repository, packageName: thePackage.optional(), id }),
  annotations: readOnly,
  async run({ api, options }, { repository, packageName, id }) {
    return { about: await api.items.validate({ configId: repository, packageName, id }, options) }
  },
})

/** The states of translations. */
export const translations = tool({
  name: 'translations',
  title: 'Translations',
  description:
    'List the translations that are missing or outdated, by item and path. Write them with `draft` and `locale`.',
  input: z.strictObject({
    repository,
    packageName: thePackage.optional(),
    locale: locale.describe('A locale other than the default one. Default: all'),
    state: contract.translations.list.input.shape.state.default(['missing', 'outdated']),
    type: contract.translations.list.input.shape.type,
    limit,
    cursor,
  }),
  annotations: readOnly,
  async run({ api, options }, { repository: configId, ...input }) {
    const { items, ...about } = await api.translations.list({ ...input, configId }, options)
    return { about, content: { items } }
  },
})
