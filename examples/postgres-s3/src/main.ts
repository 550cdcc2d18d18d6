import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { twoServers } from './two-servers.ts'

function required(variable: string): string {
  const value = process.env[variable]
  if (value === undefined)
    throw new Error(`${variable} is missing. See README.md for the required variables.`)
  return value
}

const endpoint = process.env['QUIRE_S3_ENDPOINT']
const common = {
  database: { url: required('QUIRE_DATABASE'), schema: 'quire_example' },
  bucket: {
    bucket: required('BUCKET'),
    prefix: 'quire-example/',
    ...(endpoint !== undefined && { endpoint }),
  },
  key: new Uint8Array(await readFile(required('QUIRE_KEY'))),
  baseUrl: 'http://content.example',
}
const path = fileURLToPath(new URL('../../../packages/testkit/media/photo.jpg', import.meta.url))
await twoServers(common, new File([await openAsBlob(path)], basename(path)), (line) => console.log(line))
