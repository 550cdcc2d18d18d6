import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { openedFile, servedArchive, type ArchiveFile } from '../assets/archive.ts'
import type { Call } from '../call/call.ts'
import { openSite } from './find.ts'
import { pageFile } from './publication/address.ts'
import type { Manifest } from './publication/manifest.ts'
import { redirectPage } from './publication/redirect-page.ts'
import { findPublication, type KeptPublication } from './publications.ts'
import { fileBytes, manifestAt } from './served-file.ts'

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
  { createdDate }: KeptPublication,
  { files, redirects, baseUrl }: Manifest,
): AsyncGenerator<ArchiveFile> {
  const lastModified = new Date(createdDate)
  for (const [address, file] of files) {
    const name = file.page ? pageFile(address) : address
    yield* openedFile(await fileBytes(call, file), { name, lastModified, size: file.size })
  }
  for (const [from, to] of redirects)
    yield { name: pageFile(from), lastModified, input: redirectPage({ from, to }, baseUrl) }
}
