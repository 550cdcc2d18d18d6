import { contract } from '@quire/contract'
import { z } from 'zod'
import { id, intoPackage, repository } from '../inputs.ts'
import { taskPackage } from '../task.ts'
import { tool, writesInPackage } from '../tool.ts'
import { itemLink } from '../uris.ts'
import { itemView } from './item-view.ts'

const fetched = contract.assets.createFromUrl.input.shape

/** Makes an asset from an address, or says how to upload a file. */
export const upload = tool({
  name: 'upload',
  title: 'Upload a file',
  description:
    'Make an asset in the package of your task: from `url`, which the service fetches; without it, the answer says how to upload a file of your machine. Never send bytes in arguments.',
  input: z.strictObject({
    repository,
    packageName: intoPackage,
    url: fetched.url.optional(),
    type: fetched.type,
    name: fetched.name,
    description: fetched.description,
    folderId: id.optional(),
  }),
  annotations: { ...writesInPackage, openWorldHint: true },
  async run(call, { repository, packageName: named, url, ...input }) {
    const { packageName } = await taskPackage(call, { repository, packageName: named })
    if (url === undefined)
      return { about: { packageName, ...howToUpload(call, { repository, packageName }) } }
    await call.progress(0, 1, `fetching ${url}`)
    const asset = await call.api.assets.createFromUrl(
      { configId: repository, packageName, url, ...input },
      call.options,
    )
    await call.progress(1, 1, asset.name)
    return {
      about: { packageName },
      content: { item: itemView(asset) },
      links: [itemLink(repository, { id: asset.id, packageName })],
    }
  },
})

interface Upload {
  readonly repository: string
  readonly packageName: string
}

/** Two ways to send a file with the credentials of the agent's account. */
function howToUpload({ baseUrl }: { readonly baseUrl: string }, { repository, packageName }: Upload): object {
  const [configId, name] = [encodeURIComponent(repository), encodeURIComponent(packageName)]
  return {
    command: `npx quire upload <file> --url ${baseUrl} --repository ${shellWord(repository)} --package ${shellWord(packageName)}`,
    request: {
      method: 'POST',
      url: `${baseUrl}/api/assets/${configId}/_package/${name}`,
      headers: { authorization: 'Bearer <access token of the account>' },
      form: { data: '{"name":"…"}', file: '<the file>' },
    },
    note: 'With the command, QUIRE_CLIENT_ID and QUIRE_CLIENT_SECRET are those of the account.',
  }
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
