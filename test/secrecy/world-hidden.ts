import { articleValues, repository } from './world-content.ts'
import type { Making } from './world-plan.ts'

const configId = repository

/** Words that exist in only one of the two worlds. */
export const hiddenWords = ['umbra', 'zenith'] as const

/** The name of the hidden package in each world. */
export const packageNames = ['covert', 'veiled'] as const

/** The name of the package that editors can see, with content that they cannot see. */
export const sharedPackage = 'shared'

/**
 * Additional writes in the second world: enough for the counters of all writes to have another
 * digit.
 */
const moreWrites = 120

/**
 * Creates the hidden item and asset that both worlds have with the same ids. Visible content is
 * created after them.
 */
export async function makeFirstHidden(making: Making, visible: readonly string[]): Promise<string[]> {
  const { api, plan, roleId, structure, later } = making
  const limited = { type: 'article', readPerm: [roleId], folderId: structure.closed }
  const first = await makeItem(making, { ...limited, fields: firstReferences(making, visible) }, 1)
  const asset = await makeAsset(making)
  later()
  const pointing = { configId, id: visible[3] ?? '' }
  await api.items.update({ ...pointing, fields: { related: [first, visible[2] ?? ''] } })
  await api.items.publish(pointing)
  if (plan.caller === 'typed editor') await api.packages.create({ repo: configId, name: sharedPackage })
  for (let write = 0; write < plan.variant * moreWrites; write++)
    await api.items.update({ configId, id: first, description: `Draft ${write}` }, { requestId: 'unseen' })
  return [first, asset]
}

/**
 * The item guards the same author in both worlds, and refers to other items through different
 * fields.
 */
function firstReferences({ plan }: Making, [author = '', , article = '', other = '']: readonly string[]) {
  return plan.variant === 0
    ? { guard: author, related: [article] }
    : { guard: author, secondCousins: [article, other], related: [other] }
}

/** A published file whose name, type, size, folder and category differ between the worlds. */
async function makeAsset({ api, plan, roleId, structure }: Making): Promise<string> {
  const word = hiddenWords[plan.variant]
  const file = new File([`${word} `.repeat(1 + plan.variant)], `${word}.txt`, { type: 'text/plain' })
  const about = { configId, type: 'file', name: word, readPerm: [roleId] }
  const { id } = await api.assets.create({ ...about, file })
  await api.items.publish({ configId, id })
  await api.items.move({ configId, id, folderId: structure.folders[plan.variant] })
  await api.items.categorize({ configId, id, categoryId: structure.categories[plan.variant] })
  await api.items.publish({ configId, id })
  return id
}

interface ItemToMake {
  readonly type: string
  readonly readPerm?: string[]
  readonly packageName?: string
  readonly folderId?: string
  readonly categories?: string[]
  /** Fields in addition to those with the variant's word. */
  readonly fields?: Readonly<Record<string, string | string[]>>
}

/** Creates an item with the variant's word. On main it is also published. */
async function makeItem(
  { api, plan, later }: Making,
  { fields = {}, ...item }: ItemToMake,
  number: number,
): Promise<string> {
  later()
  const word = hiddenWords[plan.variant]
  const values = item.type === 'vault' ? { secret: word, code: number } : articleValues(word, number, [])
  const { id } = await api.items.create({
    repositoryId: configId,
    ...item,
    name: `${word} ${number}`,
    fields: { ...values, ...fields },
  })
  if (item.packageName === undefined) await api.items.publish({ configId, id })
  return id
}

interface Made {
  readonly visible: readonly string[]
  readonly hidden: readonly string[]
}

/**
 * Creates the content that differs between the worlds, even in quantity. No visible content is
 * written after it.
 */
export async function makeMoreHidden(making: Making, made: Made): Promise<void> {
  const { plan, roleId, structure } = making
  const { hides, variant } = plan
  const categories = [structure.categories[2], structure.categories[variant]]
  const limited = { type: 'article', readPerm: [roleId], folderId: structure.closed, categories }
  const guard = made.visible[0] ?? ''
  if (variant === 1) await makeItem(making, { ...limited, fields: { guard } }, 2)
  await makeItem(making, { ...limited, fields: { related: [...made.hidden] } }, 4)
  if (hides.has('types')) await makeVaults(making)
  if (hides.has('packages')) await makePackage(making, made.visible)
  if (plan.caller === 'typed editor') await fillSharedPackage(making, made)
  if (hides.has('drafts')) await makeDrafts(making, made.visible)
}

async function makeVaults(making: Making): Promise<void> {
  const { structure, plan } = making
  const categories = [structure.categories[plan.variant]]
  await makeItem(making, { type: 'vault', categories }, 3)
  if (plan.variant === 1) await makeItem(making, { type: 'vault', folderId: structure.folders[0] }, 4)
}

/** A package whose name differs. It changes visible items, and contains new ones. */
async function makePackage(making: Making, visible: readonly string[]): Promise<void> {
  const { api, plan, structure } = making
  const packageName = packageNames[plan.variant]
  await api.packages.create({ repo: configId, name: packageName })
  const name = hiddenWords[plan.variant]
  const changed = { configId, id: visible[2] ?? '', packageName }
  await api.items.update({ ...changed, name, fields: { title: name, related: [visible[4] ?? ''] } })
  await api.items.move({ ...changed, folderId: structure.folders[plan.variant] })
  await api.folders.update({ configId, id: structure.plain, packageName, name })
  await api.categories.create({ configId, packageName, taxonomyId: structure.taxonomyId, name })
  await makeItem(making, { type: 'article', packageName }, 3)
}

/**
 * Changes in the visible package: to a hidden item that is also on main, and to a hidden item that
 * is only in the package.
 */
async function fillSharedPackage(making: Making, { hidden }: Made): Promise<void> {
  const { api, plan, roleId, structure } = making
  const packageName = sharedPackage
  const word = hiddenWords[plan.variant]
  const [id = '', asset = ''] = hidden
  await api.items.update({ configId, id, packageName, name: `${word} in a package` })
  await api.items.update({ configId, id, name: `${word} on main` })
  const limited = { type: 'article', readPerm: [roleId], packageName, folderId: structure.folders[0] }
  await makeItem(making, limited, 5)
  if (plan.variant === 1) await makeItem(making, { type: 'vault', packageName }, 6)
  if (plan.variant === 1) await api.packages.addItem({ repo: configId, packageName, id: asset })
}

/** Drafts of one or two published items, and items that were never published. */
async function makeDrafts(making: Making, visible: readonly string[]): Promise<void> {
  const { api, plan, structure, later } = making
  const word = hiddenWords[plan.variant]
  const categories = [structure.categories[2]]
  for (const id of visible.slice(2, 3 + plan.variant)) {
    later()
    const fields = articleValues(word, 6, [])
    await api.items.update({
      configId,
      id,
      name: word,
      slug: `${word}-${id.slice(-4)}`.toLowerCase(),
      folderId: structure.closed,
      categories,
      fields,
    })
  }
  await api.items.create({ repositoryId: configId, type: 'article', name: `never ${word}` })
}
