import type { Api, Item } from '@quire/contract'
import type { Principal } from './principals.ts'
import { commonPackage, ruledType, type RepositoryName, type Site } from './site.ts'

/** A place to make what one request is about: all of it is new, so that no request meets what another left. */
export interface Targets {
  readonly system: Api
  /** The engine in process as who will send the request. */
  readonly caller: Api
  readonly baseUrl: string
  readonly configId: string
  /** Names the package where the request works on one. */
  readonly line: { readonly packageName?: string }
  /** What exists in the repository because of this place: ids, slugs and names that a request may name. */
  readonly made: Set<string>
  /** A text that nothing else has. */
  word(kind: string): string
  /** An article that the package, if any, has changed. */
  article(): Promise<Item>
  picture(): Promise<Item>
  /** An open package that changes an article. */
  packageWithChange(): Promise<{ readonly repo: string; readonly packageName: string; readonly id: string }>
  preset(): Promise<{ readonly configId: string; readonly name: string }>
  rule(): Promise<{ readonly id: string; readonly repositoryId: string }>
}

/** How items are limited to a role that the caller lacks. */
interface Limits {
  readonly readPerm?: string[]
  readonly writePerm?: string[]
  readonly deletePerm?: string[]
}

export interface TargetsOptions {
  readonly principal: Principal
  readonly repository: RepositoryName
  readonly onPackage: boolean
}

let count = 0

/** A new place for one request of a principal. */
export function targetsFor(site: Site, { principal, repository, onPackage }: TargetsOptions): Targets {
  const { system, baseUrl } = site
  const configId = site.repositories[repository]
  const line = onPackage ? { packageName: commonPackage } : {}
  const limits = limitsFor(principal, site.strangeRole)
  const made = new Set<string>()
  const word = (kind: string) => `${kind}-${String((count += 1)).padStart(6, '0')}`
  const noted = <T extends object>(value: T, ...members: (keyof T)[]): T => {
    for (const member of members) made.add(String(value[member]))
    return value
  }
  const newArticle = async () => {
    const name = word('article')
    const members = { name, slug: name, fields: { title: name }, ...limits }
    return noted(
      await system.items.create({ repositoryId: configId, type: 'article', ...members }),
      'id',
      'slug',
    )
  }
  return {
    system,
    caller: system && (principal.who ? site.quire.as(principal.who) : system),
    baseUrl,
    configId,
    line,
    made,
    word,
    article: async () => {
      const item = await newArticle()
      return onPackage ? system.items.update({ configId, ...line, id: item.id, name: word('moved') }) : item
    },
    picture: async () => {
      const name = word('picture')
      const file = pixel()
      return noted(
        await system.assets.create({ configId, name, slug: name, file, ...limits }),
        'id',
        'slug',
      )
    },
    packageWithChange: async () => {
      const at = { repo: configId, packageName: word('package') }
      await system.packages.create({ repo: configId, name: at.packageName })
      const { id } = await newArticle()
      await system.items.update({ configId, packageName: at.packageName, id, name: word('moved') })
      return noted({ ...at, id }, 'packageName')
    },
    preset: async () =>
      noted(await system.renditionPresets.create({ configId, name: word('preset'), width: 8 }), 'name'),
    rule: async () => {
      const about = { types: [ruledType], statuses: ['published' as const] }
      const name = word('Rule')
      return noted(
        await system.autoPackageRules.create({ repositoryId: configId, name, ...about }),
        'id',
      )
    },
  }
}

function limitsFor({ name }: Principal, role: string): Limits {
  if (name === 'itemLimited') return { readPerm: [role], writePerm: [role], deletePerm: [role] }
  return name === 'writeLimited' ? { writePerm: [role], deletePerm: [role] } : {}
}

/** A picture of one pixel. */
export function pixel(): File {
  return new File([pixelBytes], 'pixel.png', { type: 'image/png' })
}

const pixelBytes = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
