import { AssetDraft, contract, type BytesIn, type Contract, type ParsedOf } from '@quire/contract'

type Input = ParsedOf<Contract['autoPackage']['createAndSave']>

/** The item and the file of a save into a package. */
type SentItem = Pick<Input, 'item' | 'file'>

/** The branch to save on; without a package if that is still to be created. */
interface SavedInto {
  readonly repositoryId: string
  readonly packageName?: string
}

/** The operation that saves an item, with its input, which has not been validated. */
export interface ItemSave {
  readonly name: 'assets.create' | 'items.create' | 'items.update'
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * How the item of a save into a package is saved: created, or changed when it has an id. Its file,
 * if it has one, is in the input only if it is new. Ignores unknown members.
 */
export function itemSave(
  { item, file }: SentItem,
  { repositoryId, packageName }: SavedInto,
): ItemSave & { readonly file: BytesIn | undefined } {
  const name = item.id !== undefined ? 'items.update' : file ? 'assets.create' : 'items.create'
  const into = packageName !== undefined && { packageName }
  const to = name === 'items.create' ? { repositoryId, ...into } : { configId: repositoryId, ...into }
  const sent = only(item, (member) => members[name].has(member))
  return { name, file, input: { ...sent, ...to, ...(name === 'assets.create' && { file }) } }
}

/** The item of a save into a package with another input of the operation that saves it. */
export function withItemInput({ item }: SentItem, { name, input }: ItemSave): Input['item'] {
  const unknown = only(item, (member) => !members[name].has(member))
  return { ...unknown, ...only(input, (member) => !naming.has(member)) }
}

const members = {
  'items.create': new Set(Object.keys(contract.items.create.input.shape)),
  'assets.create': new Set(Object.keys(AssetDraft.shape)),
  'items.update': new Set(Object.keys(contract.items.update.input.shape)),
}

const naming: ReadonlySet<string> = new Set(['configId', 'repositoryId', 'packageName', 'file'])

function only(
  value: Readonly<Record<string, unknown>>,
  isWanted: (member: string) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([member]) => isWanted(member)))
}
