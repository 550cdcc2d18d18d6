import { z } from 'zod'
import { FileIn } from '../../binary.ts'
import { Description, Id, Name, RepositoryRef, UnixMs } from '../../conventions.ts'
import { comment, optionalMembers } from '../../content/items/inputs.ts'
import { FieldValues, Item, ItemStatus } from '../../content/items/shapes.ts'
import { limits } from '../../limits.ts'

/** The members of a rule that a caller can set. */
export const ruleMembers = {
  name: Name.describe('Unique in the repository'),
  types: z
    .array(z.string().max(limits.name))
    .max(1000)
    .describe('Names of the content types that it applies to; empty: all'),
  folders: z
    .array(Id)
    .max(1000)
    .describe('Folders that it applies to, including all folders below them; empty: all'),
  statuses: z
    .array(ItemStatus)
    .max(3)
    .describe('Status that the item has before the save (a new item is a draft); empty: all'),
  enabled: z.boolean().describe('Whether the rule is in effect'),
  packageNameTemplate: z
    .string()
    .max(1000)
    .nullable()
    .describe(
      'Liquid template with `item`, `rule` and `date` (YYYY-MM-DD): the name of a new package if none is given',
    ),
}

/** A rule that sends saves to main into a package instead. */
export const AutoPackageRule = z
  .object({ id: Id, repositoryId: Id, ...ruleMembers, createdDate: UnixMs, updatedDate: UnixMs })
  .meta({
    id: 'AutoPackageRule',
    description: 'A rule: saves to main that match it must go through a package',
  })

/** A rule that sends saves to main into a package instead. */
export type AutoPackageRule = z.output<typeof AutoPackageRule>

/**
 * The item to save: a new item as in POST /api/items, or with `id` a change of that item. Unknown
 * members are ignored.
 */
export const SavedItem = z
  .looseObject({
    id: Id.optional().describe('An existing item to change'),
    type: z
      .string()
      .max(limits.name)
      .optional()
      .describe('Name of the content type; required for a new item'),
    ...optionalMembers,
    fields: FieldValues.optional(),
    comment,
  })
  .describe(
    'A new item as in POST /api/items, or with `id` a change of that item. Unknown members are ignored',
  )

/** The input of `createAndSave` (specification 4.3). */
export const createAndSaveInput = {
  repositoryId: RepositoryRef,
  ruleId: Id.describe('The rule that matched the save'),
  item: SavedItem,
  packageAction: z.enum(['addToExisting', 'createNew']),
  packageName: z
    .string()
    .max(limits.name)
    .optional()
    .describe('With `addToExisting`: the name of the package'),
  newPackageName: z
    .string()
    .max(limits.name)
    .optional()
    .describe("With `createNew`: the name of the new package. Default: made from the rule's template"),
  newPackageDescription: Description.optional(),
  file: FileIn.optional().describe('The part `file`: the file of the asset'),
}

/** The rule and the package that a save went through. */
export const AutoPackageDescriptor = z
  .object({
    ruleId: Id,
    ruleName: z.string(),
    packageId: Id,
    packageName: z.string(),
    action: z.enum(['addToExisting', 'createNew']),
    created: z.boolean().describe('Whether this call created the package'),
  })
  .meta({ id: 'AutoPackage', description: 'The rule and the package that a save went through' })

/** The saved item, with the rule and the package that it went through. */
export const AutoPackagedItem = Item.extend({ autoPackage: AutoPackageDescriptor }).meta({
  id: 'AutoPackagedItem',
  description: 'The saved item, with the rule and the package that it went through',
})
