import type { Item } from '@quire/contract'
import { pixelBytes } from './pixel.ts'
import { ruledType, translatedType } from './site.ts'
import type { Targets } from './targets.ts'

/** Creates an article. If the request works on a package, the package changes it. */
export async function createArticle(at: Targets): Promise<Item> {
  const { system, configId, branch } = at
  const item = await createItem(at, 'article')
  if (branch.packageName === undefined) return item
  return system.items.update({ configId, ...branch, id: item.id, description: 'Changed in the package' })
}

/**
 * Creates and publishes an item that a rule of `createRule` applies to, so it can be changed only
 * through a package.
 */
export async function createRuledItem(at: Targets): Promise<Item> {
  const { id } = await createItem(at, ruledType)
  return at.system.items.publish({ configId: at.configId, id })
}

/** Creates an item whose German text is older than its source, on the branch of the request. */
export async function createTranslated(at: Targets): Promise<Item> {
  const { system, configId, branch, word } = at
  const { fields, ...item } = newItem(at, translatedType)
  const created = await system.items.create({
    ...item,
    ...branch,
    locale: '*',
    fields: { ...fields, lead: { en: word('lead'), de: word('lead') } },
  })
  await system.items.update({ configId, ...branch, id: created.id, fields: { lead: word('lead') } })
  return notedItem(at, created)
}

async function createItem(at: Targets, type: string): Promise<Item> {
  return notedItem(at, await at.system.items.create(newItem(at, type)))
}

function newItem({ configId, shelf: { folderId }, limits, word }: Targets, type: string) {
  const name = word(type)
  return { repositoryId: configId, type, name, slug: name, folderId, fields: { title: name }, ...limits }
}

/** Creates an article that refers to others, on the branch of the request. */
export async function createReferring(at: Targets, related: readonly string[]): Promise<Item> {
  const { fields, ...article } = newItem(at, 'article')
  const item = { ...article, ...at.branch, fields: { ...fields, related: [...related] } }
  return notedItem(at, await at.system.items.create(item))
}

/** Creates an article that every reader may read. */
export function createOpenArticle(at: Targets): Promise<Item> {
  return createArticle({ ...at, limits: {}, hideable: new Set() })
}

/** Creates a picture on main. */
export async function createPicture(at: Targets): Promise<Item> {
  const { system, configId, limits, word } = at
  const name = word('picture')
  return notedItem(at, await system.assets.create({ configId, name, slug: name, file: pixel(), ...limits }))
}

/**
 * Creates an open package that changes a new article, which main has also changed since. Also
 * returns the id of the article.
 */
export async function createPackage(at: Targets) {
  const { system, configId, made, word } = at
  const packageName = word('package')
  await system.packages.create({ repo: configId, name: packageName })
  made.add(packageName)
  const { id } = await createItem(at, 'article')
  await system.items.update({ configId, packageName, id, name: word('moved') })
  // Main is changed, too, so that a sync has something to write.
  await system.items.update({ configId, id, description: 'Meanwhile' })
  return { repo: configId, packageName, id }
}

/** Creates a rendition preset. */
export async function createPreset({ system, configId, made, word }: Targets) {
  const { name } = await system.renditionPresets.create({ configId, name: word('preset'), width: 8 })
  made.add(name)
  return { configId, name }
}

/** Creates a rule for published items of a type that is used nowhere else. */
export async function createRule({ system, configId: repositoryId, made, word }: Targets) {
  const about = { types: [ruledType], statuses: ['published' as const] }
  const { id } = await system.autoPackageRules.create({ repositoryId, name: word('Rule'), ...about })
  made.add(id)
  return { id }
}

/** Starts an upload as the caller if it may do so, otherwise as another one. */
export async function createOwnUpload(at: Targets) {
  const own = await at.sender.uploads.create(newUpload(at)).catch(() => undefined)
  return own ? notedUpload(at, own.id) : createUploadOfAnother(at)
}

/** Starts an upload as another caller. */
export async function createUploadOfAnother(at: Targets) {
  return notedUpload(at, (await at.another().uploads.create(newUpload(at))).id)
}

/** The input for an upload of one pixel. */
export function newUpload({ configId, word }: Targets) {
  const metadata = { repositoryId: configId, filename: 'pixel.png', name: word('new') }
  return { length: pixelBytes.length, metadata }
}

function notedUpload({ made, hideable }: Targets, uploadId: string) {
  for (const noted of [made, hideable]) noted.add(uploadId)
  return { uploadId }
}

function notedItem({ made, hideable }: Targets, item: Item): Item {
  for (const noted of [made, hideable]) noted.add(item.id).add(item.slug ?? item.id)
  return item
}

/** A picture of one pixel. */
export function pixel(): File {
  return new File([pixelBytes], 'pixel.png', { type: 'image/png' })
}
