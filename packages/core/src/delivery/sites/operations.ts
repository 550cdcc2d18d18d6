import { type Contract, type ParsedOf, type Site, limits, type OutputOf, QuireError } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import { contentOf, type StructureContent } from '../../content/structure/content.ts'
import { openStructure } from '../../content/structure/find.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { saveStructure } from '../../content/structure/save.ts'
import { findInSite, membersOf, requireFreeAddress, type SiteTarget } from './find.ts'
import { sectionRules, siteRules as rules } from './kinds.ts'
import { defaultTemplates } from './render/default-templates.ts'
import { requireSiteLocales } from './site-locales.ts'
import { mapOf, readSite, siteAt, type PageNode, type SectionNode } from './site-map.ts'
import { pageFile, rootPath } from './publication/address.ts'
import { isNotFoundFile } from './not-found-page.ts'
import { dependOnPage, fileAt, manifestAt, refuseAsNotFound, fileBytes, notFoundHtml } from './served-file.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { openedFile, servedArchive, type ArchiveFile } from '../../files/assets/archive.ts'
import type { Manifest } from './publication/manifest.ts'
import { redirectPage } from './publication/redirects.ts'
import { findPublication, type StoredPublication } from './publications.ts'

export { deleteSite as delete } from './delete.ts'
export { exportPublication as export }
export { previewPage as preview } from './preview.ts'
export { publishSite as publish } from './publishing.ts'
export { listPublications as publications, rollback } from './publications.ts'
export { getSite as get, listSites as list } from './reads.ts'
export { serveSite as serve }
export { createSite as create, updateSite as update }
export { readSiteTree as tree }

type Group = Contract['sites']

/**
 * Creates a site. Errors: `not_found` for the repository or package, `forbidden`, `slug_taken`,
 * `invalid` for an unknown layout, `invalid_state`.
 */
function createSite(
  call: Call,
  { configId, packageName, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<Site>> {
  const { templates = defaultTemplates, ...others } = given
  const { layoutTemplate = Object.hasOwn(templates, 'layout') ? 'layout' : null } = given
  const content = { ...others, templates, layoutTemplate, homeSectionId: null, parentId: null }
  requireLayout(content)
  return call.write(async (call) => {
    const scope = await openStructure(call, { configId, packageName }, [rules.keys.read, rules.keys.create])
    requireSiteLocales(scope.repository, content.settings)
    await requireFreeAddress(call, null, content.slug)
    const head = await saveStructure(call, { rules, scope, previous: null, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/**
 * Changes the members that are sent. Errors: `not_found`, `forbidden`, `precondition_failed`,
 * `slug_taken`, `invalid`, `invalid_state`.
 */
async function updateSite(
  call: WriteCall,
  input: ParsedOf<Group['update']>,
  target: SiteTarget,
): Promise<Serialized<Site>> {
  const { scope, site: previous } = target
  requireHeadMatch(call, previous)
  const content: StructureContent = { ...contentOf(previous), ...sentMembers(membersOf(input)) }
  requireLayout(content)
  requireSiteLocales(scope.repository, input.settings)
  if (input.slug !== undefined) await requireFreeAddress(call, previous.id, input.slug)
  if (input.homeSectionId) await requireSection(call, target, input.homeSectionId)
  const head = await saveStructure(call, { rules, scope, previous, content })
  return serializeOne(call, scope.branch, { rules, head })
}

/** Errors: `invalid` for a layout that is not among the templates. */
function requireLayout({ layoutTemplate, templates }: StructureContent): void {
  if (typeof layoutTemplate !== 'string' || Object.hasOwn(Object(templates), layoutTemplate)) return
  throw invalid([{ path: 'layoutTemplate', message: `there is no template "${layoutTemplate}"` }])
}

/** Errors: `invalid` for a home section that is not in the site. */
async function requireSection(call: Call, target: SiteTarget, id: string): Promise<void> {
  const absent = () => {
    throw invalid([{ path: 'homeSectionId', message: `there is no section "${id}"` }])
  }
  await findInSite(call, target, { rules: sectionRules, id }).catch(whenAbsent(absent))
}

type Tree = OutputOf<Contract['sites']['tree']>
type Node = Tree['items'][number]

/**
 * The sections and pages of a site with their paths. Errors: `not_found`, `forbidden`; `invalid`
 * for more than `treeNodes` of them.
 */
async function readSiteTree(
  call: Call,
  { at }: ParsedOf<Contract['sites']['tree']>,
  { scope, site }: SiteTarget,
): Promise<Tree> {
  const map = mapOf(
    at === undefined || at === call.now
      ? await readSite(call, scope.branch, site)
      : await siteAt(call, scope, { siteId: site.id, at }),
  )
  const count = map.sections.size + map.pages.size
  if (count > limits.treeNodes)
    throw invalid([
      { path: 'siteId', message: `has more than ${limits.treeNodes} sections and pages: list them instead` },
    ])
  return { count, items: map.top.flatMap((node) => nodesOf(node, 1)) }
}

function nodesOf(node: SectionNode, depth: number): Node[] {
  return [
    sectionNode(node, depth),
    ...node.pages.map((page) => pageNode(page, depth + 1)),
    ...node.sections.flatMap((inner) => nodesOf(inner, depth + 1)),
  ]
}

function sectionNode({ section, path }: SectionNode, depth: number): Node {
  const { id, name, slug, parentId, order } = section
  return {
    kind: 'section',
    id,
    name,
    slug,
    parentId,
    depth,
    path,
    isRoot: false,
    itemId: null,
    visible: true,
    order,
  }
}

function pageNode({ page, path, isRoot }: PageNode, depth: number): Node {
  const { id, name, slug, sectionId, itemId, visible, order } = page
  return { kind: 'page', id, name, slug, parentId: sectionId, depth, path, isRoot, itemId, visible, order }
}

type Serve = Contract['sites']['serve']

/**
 * Serves a page or file of a published site. Anyone may read it when its repository is public.
 * Errors: otherwise `unauthorized` for anonymous callers, whether the site exists or not;
 * `not_found`.
 */
async function serveSite(call: Call, { siteSlug, path }: ParsedOf<Serve>): Promise<OutputOf<Serve>> {
  const { records } = call.store
  const served = await records.find('publishedSite', `slug:${siteSlug}`)
  const repository = served && (await records.get('repository', served.repositoryId))
  const isPublic = repository?.public === true
  if (!isPublic && call.identity.kind === 'anonymous') throw new QuireError('unauthorized')
  const maySee = served && (isPublic || mayDo(call.identity.permissions, 'sites.view', { siteId: served.id }))
  if (!maySee) throw new QuireError('not_found', `There is no site "${siteSlug}" that you may see.`)
  if (isPublic) dependOnPage(call, served, path)
  const root = `${call.environment.baseUrl}/sites/${siteSlug}`
  const manifest = await manifestAt(call, served.manifest)
  return (
    fileAt(call, manifest, { root, isPublic, path }) ??
    refuseAsNotFound(call, manifest, { root, isPublic, path })
  )
}

type Export = Contract['sites']['export']

/**
 * Exports a publication as a ZIP archive of static files, which is streamed.
 * Errors: `not_found`, `forbidden`; `too_many_requests` while too many archives are read.
 */
async function exportPublication(
  call: Call,
  { id }: ParsedOf<Export>,
  target: SiteTarget,
): Promise<OutputOf<Export>> {
  const publication = await findPublication(call, target, id)
  const manifest = await manifestAt(call, publication.manifest)
  const fileName = `${publication.slug}-${publication.number}.zip`
  return servedArchive(call, { fileName, files: () => archiveFiles(call, publication, manifest) })
}

async function* archiveFiles(
  call: Call,
  { createdDate, slug }: StoredPublication,
  { files, redirects, baseUrl }: Manifest,
): AsyncGenerator<ArchiveFile> {
  const lastModified = new Date(createdDate)
  // A site without its own base URL may be hosted at the root of any host.
  const root = baseUrl === `${call.environment.baseUrl}/sites/${slug}` ? '/' : rootPath(baseUrl)
  for (const [address, file] of files) {
    const name = file.page ? pageFile(address) : address
    if (isNotFoundFile(address)) yield { name, lastModified, input: await notFoundHtml(call, file, root) }
    else yield* openedFile(await fileBytes(call, file), { name, lastModified, size: file.size })
  }
  for (const [from, to] of redirects)
    yield { name: pageFile(from), lastModified, input: redirectPage({ from, to }, baseUrl) }
}
