/**
 * Runs tus-js-client in its own process. It is JavaScript because the library's types lack
 * FileUrlStorage. Uploads the file of `QUIRE_TEST_UPLOAD` (JSON: endpoint, token, repository, file,
 * urls), resumes where an earlier process was cut off, and prints one JSON line per event: `from`,
 * the offset at which a request starts; `sent` bytes; and finally the `itemId`.
 */
import { createReadStream } from 'node:fs'
import { FileUrlStorage, Upload } from 'tus-js-client'

const { endpoint, token, repository, file, urls } = JSON.parse(process.env.QUIRE_TEST_UPLOAD)
const print = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)

const upload = new Upload(createReadStream(file), {
  endpoint,
  headers: { authorization: `Bearer ${token}` },
  metadata: { repositoryId: repository, filename: 'of-a-process.bin' },
  urlStorage: new FileUrlStorage(urls),
  storeFingerprintForResuming: true,
  retryDelays: [50, 100, 200, 500],
  onBeforeRequest: (request) => {
    if (request.getMethod() === 'PATCH') print({ from: Number(request.getHeader('Upload-Offset')) })
  },
  onProgress: (sent) => print({ sent }),
  onSuccess: ({ lastResponse }) => print({ itemId: lastResponse.getHeader('quire-item-id') }),
  onError: (error) => {
    process.stderr.write(`${error}\n`)
    process.exitCode = 1
  },
})
const [previous] = await upload.findPreviousUploads()
if (previous) upload.resumeFromPreviousUpload(previous)
upload.start()
