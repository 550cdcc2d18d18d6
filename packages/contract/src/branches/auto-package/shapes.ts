import { z } from 'zod'
import { FileIn } from '../../binary.ts'
import { Description, Id, Name, RepositoryRef, UnixMs } from '../../conventions.ts'
import { comment, optionalMembers } from '../../content/items/inputs.ts'
import { FieldValues, Item, ItemStatus } from '../../content/items/shapes.ts'
import { limits } from '../../limits.ts'

/** What of a rule its makers say. */
export const ruleMembers = {
  name: Name.describe('Unique in the repository'),
  types: z.array(z.string().max(limits.name)).max(1000).describe('Content types that it is for; empty: all'),
  folders: z.array(Id).max(1000).describe('Folders that it is for, with all below them; empty: all'),
  statuses: z
    .array(ItemStatus)
    .max(3)
    .describe('Status of the item before the save; a new one is a draft; empty: all'),
  enabled: z.boolean().describe('Whether it holds'),
  packageNameTemplate: z
    .string()
    .max(1000)
    .nullable()
    .describe(
      'Liquid over `item`, `rule` and `date` (YYYY-MM-DD): the name of a new package when none is given',
    ),
}

/** A rule that sends saves to main into a package instead. */
export const AutoPackageRule = z
  .object({ id: Id, repositoryId: Id, ...ruleMembers, createdDate: UnixMs, updatedDate: UnixMs })
  .meta({ id: 'AutoPackageRule', description: 'Saves to main that it matches must go through a package' })

/** A rule that sends saves to main into a package instead. */
export type AutoPackageRule = z.output<typeof AutoPackageRule>

/** The item of a create-and-save: as POST /api/items takes it, or with `id` a change of that item; other members are ignored. */
export const SavedItem = z
  .looseObject({
    id: Id.optional().describe('An existing item, to be changed'),
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
    'As POST /api/items takes it; with `id` a change of that item. Members that it does not know are ignored',
  )

/** What a create-and-save takes (specification 4.3). */
export const createAndSaveInput = {
  repositoryId: RepositoryRef,
  ruleId: Id.describe('The rule that the save ran into'),
  item: SavedItem,
  packageAction: z.enum(['addToExisting', 'createNew']),
  packageName: z.string().max(limits.name).optional().describe('With addToExisting: the package'),
  newPackageName: z
    .string()
    .max(limits.name)
    .optional()
    .describe("With createNew: its name; default: from the rule's template"),
  newPackageDescription: Description.optional(),
  file: FileIn.optional().describe('The part `file`: the binary of the asset'),
}

/** What became of a save that a rule sent into a package. */
export const AutoPackageDescriptor = z
  .object({
    ruleId: Id,
    ruleName: z.string(),
    packageId: Id,
    packageName: z.string(),
    action: z.enum(['addToExisting', 'createNew']),
    created: z.boolean().describe('The package was made by this call'),
  })
  .meta({ id: 'AutoPackage', description: 'Which rule and package a save went through' })

/** The saved item with where it went. */
export const AutoPackagedItem = Item.extend({ autoPackage: AutoPackageDescriptor }).meta({
  id: 'AutoPackagedItem',
  description: 'The saved item with the package that took it',
})
