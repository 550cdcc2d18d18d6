import type { MergeReport } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import type { Stored } from '../../ports/index.ts'
import type { Manifest } from '../../delivery/sites/publication/manifest.ts'
import { manifestAt } from '../../delivery/sites/served-file.ts'

// More pages than this are not named: a change of a layout is one of all pages.
const most = 1000

/** A report with the pages, published as they are, that show what it changed, of sites that the caller may see. */
export async function withPublishedPages(
  call: Call,
  report: Omit<MergeReport, 'pages'>,
): Promise<MergeReport> {
  const changed = changedBy(report)
  const seen = changed.size === 0 ? [] : await publishedSites(call, report.package)
  const pages = await Promise.all(seen.map((site) => pagesUsing(call, site, changed)))
  return { ...report, pages: pages.flat().slice(0, most) }
}

/** What is served of the sites of a repository that the caller may see. */
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

/** The pages that are served of a site and show any of some things, by their ids or `tree`. */
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

/** What is served of a site. What was committed is not refused for what cannot be read of it: the log says so. */
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

/** Ids of what changed, and `tree` when a section or page did: pages say of themselves what they use. */
function changedBy({ changes }: Pick<MergeReport, 'changes'>): ReadonlySet<string> {
  const isOfTree = changes.some(({ entity: { kind } }) => kind === 'section' || kind === 'page')
  return new Set([...changes.map(({ entity }) => entity.id), ...(isOfTree ? ['tree'] : [])])
}
