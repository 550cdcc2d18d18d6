import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { openedFile, servedArchive, type ArchiveFile } from '../../files/assets/archive.ts'
import type { Call } from '../../engine/call.ts'
import { openSite } from './find.ts'
import { notFoundFile } from './not-found-page.ts'
import { pageFile, rootPath } from './publication/address.ts'
import type { Manifest } from './publication/manifest.ts'
import { redirectPage } from './publication/redirect-page.ts'
import { findPublication, type StoredPublication } from './publications.ts'
import { fileBytes, manifestAt, notFoundHtml } from './served-file.ts'

type Export = Contract['sites']['export']

/** A publication as one ZIP archive of static files, streamed while it is read. Errors: `not_found`, `forbidden`; `too_many_requests` when read while too many are. */
export async function exportPublication(
  call: Call,
  { id, ...ref }: ParsedOf<Export>,
): Promise<OutputOf<Export>> {
  const opened = await openSite(call, ref, 'read')
  const publication = await findPublication(call, opened, id)
  const manifest = await manifestAt(call, publication.manifest)
  const fileName = `${publication.slug}-${publication.number}.zip`
  return servedArchive(call, { fileName, files: () => filesOf(call, publication, manifest) })
}

async function* filesOf(
  call: Call,
  { createdDate, slug }: StoredPublication,
  { files, redirects, baseUrl }: Manifest,
): AsyncGenerator<ArchiveFile> {
  const lastModified = new Date(createdDate)
  // Without an address of its own a site may be at the root of any host.
  const root = baseUrl === `${call.environment.baseUrl}/sites/${slug}` ? '/' : rootPath(baseUrl)
  for (const [address, file] of files) {
    const name = file.page ? pageFile(address) : address
    if (address === notFoundFile) yield { name, lastModified, input: await notFoundHtml(call, file, root) }
    else yield* openedFile(await fileBytes(call, file), { name, lastModified, size: file.size })
  }
  for (const [from, to] of redirects)
    yield { name: pageFile(from), lastModified, input: redirectPage({ from, to }, baseUrl) }
}
