import type { MergeReport } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import type { Stored } from '../../ports/index.ts'
import type { Manifest } from '../../delivery/sites/publication/manifest.ts'
import { manifestAt } from '../../delivery/sites/served-file.ts'

// The most pages to list: changing a layout changes every page of a site.
const mostPages = 1000

/**
 * Adds to a report the published pages that show what it changed, of sites that the caller may see.
 */
export async function withPublishedPages(
  call: Call,
  report: Omit<MergeReport, 'pages'>,
): Promise<MergeReport> {
  const changed = changedBy(report)
  const sites = changed.size === 0 ? [] : await publishedSites(call, report.package)
  const pages = await Promise.all(sites.map((site) => pagesUsing(call, site, changed)))
  return { ...report, pages: pages.flat().slice(0, mostPages) }
}

/** The published sites of a repository that the caller may see. */
export async function publishedSites(
  { store, identity: { permissions } }: Call,
  { repositoryId }: { readonly repositoryId: string },
): Promise<Stored<'publishedSite'>[]> {
  const sites = await store.records.list('publishedSite')
  return sites.filter(
    ({ id: siteId, repositoryId: within }) =>
      within === repositoryId && mayDo(permissions, 'sites.view', { siteId }),
  )
}

/**
 * The published pages of a site that use any of the given ids, or the site's tree if `tree` is
 * given.
 */
export async function pagesUsing(
  call: Call,
  site: Stored<'publishedSite'>,
  changed: ReadonlySet<string>,
): Promise<MergeReport['pages']> {
  const files = [...(await filesOf(call, site))]
  return files.flatMap(([path, { page }]) =>
    page?.uses.some((id) => changed.has(id)) ? [{ siteId: site.id, pageId: page.id, path }] : [],
  )
}

/**
 * The files of a published site; empty when its manifest cannot be read. The merge is already
 * committed, so that error is logged and not thrown.
 */
async function filesOf(call: Call, { id, manifest }: Stored<'publishedSite'>): Promise<Manifest['files']> {
  try {
    return (await manifestAt(call, manifest)).files
  } catch (error) {
    call.environment.log.write('error', 'publication.lost', {
      site: id,
      manifest: manifest.hash,
      error: String(error),
    })
    return new Map()
  }
}

/**
 * The ids of changed entities, plus `tree` when a section or page changed, as pages list them in
 * `uses`.
 */
function changedBy({ changes }: Pick<MergeReport, 'changes'>): ReadonlySet<string> {
  const isOfTree = changes.some(({ entity: { kind } }) => kind === 'section' || kind === 'page')
  return new Set([...changes.map(({ entity }) => entity.id), ...(isOfTree ? ['tree'] : [])])
}
