import { limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { chunksOf } from '../assets/archive.ts'
import type { Call } from '../call/call.ts'
import { ServedBytes } from '../call/served-bytes.ts'
import { takePlaces } from '../call/take-places.ts'
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
  return new ServedBytes({
    mimeType: 'application/zip',
    fileName: `${publication.slug}-${publication.number}.zip`,
    size: null,
    etag: null,
    disposition: 'attachment',
    isImmutable: false,
    isNegotiated: false,
    async open() {
      takeBoth(call)()
      return archiveOf(call, publication, manifest)
    },
  })
}

/** Takes a place of the caller's and one of all; the answer gives both back. */
function takeBoth({ shared, identity }: Call): () => void {
  return takePlaces(shared, {
    own: [`zip ${identity.kind}:${identity.id}`, limits.zipsOfOne],
    all: ['zip', limits.zipsOfAll],
  })
}

async function* archiveOf(
  call: Call,
  publication: KeptPublication,
  manifest: Manifest,
): AsyncGenerator<Uint8Array> {
  const release = takeBoth(call)
  try {
    const { makeZip } = await import('client-zip')
    yield* chunksOf(makeZip(filesOf(call, publication, manifest)))
  } finally {
    release()
  }
}

async function* filesOf(
  call: Call,
  { createdDate }: KeptPublication,
  { files, redirects, baseUrl }: Manifest,
) {
  const lastModified = new Date(createdDate)
  for (const [address, file] of files) {
    const name = file.page ? pageFile(address) : address
    const bytes = (await fileBytes(call, file))[Symbol.asyncIterator]()
    try {
      yield { name, lastModified, size: file.size, input: { [Symbol.asyncIterator]: () => bytes } }
    } finally {
      await bytes.return?.()
    }
  }
  for (const [from, to] of redirects)
    yield { name: pageFile(from), lastModified, input: redirectPage({ from, to }, baseUrl) }
}
