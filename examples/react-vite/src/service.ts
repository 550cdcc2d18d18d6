import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { sharpMedia } from '@quire/media-sharp'
import { createServer, noRateLimits } from '@quire/server'
import { specimens } from '@quire/testkit'
import type { Api } from '@quire/client'
import type { ContentTypes } from './content-types.ts'

/** A service with a public magazine of 25 articles, the first one with a cover. */
export interface MagazineService {
  readonly baseUrl: string
  /** The token of an editor. */
  readonly token: string
  /** The service in this process, for changes by somebody else. */
  readonly api: Pick<Api<ContentTypes>, 'items'>
  close(): Promise<void>
}

/** Serves the magazine on a free port, for pages of one other origin. */
export async function serveMagazine(origin: string): Promise<MagazineService> {
  const issuer = 'http://magazine.example'
  const quire = createQuire({ store: createMemoryStore(), media: sharpMedia(), baseUrl: issuer })
  const api = quire.as<ContentTypes>(systemIdentity('setup'))
  await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({
    name: 'picture',
    settings: { isAsset: true },
    fields: [{ name: 'alt', kind: 'text' }],
  })
  await api.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'cover', kind: 'reference', settings: { types: ['picture'] } },
    ],
  })
  const role = await api.roles.create({ name: 'Editors', bundles: ['bundle.administrator'] })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Editor', roles: [role.id] })
  const { access_token: token } = await api.auth.token({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  await fill(api)
  const app = createServer({ quire, baseUrl: issuer, rates: noRateLimits, cors: { origins: [origin] } })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const close = async () => {
    await app.close()
    await quire.close()
  }
  return { baseUrl, token, api, close }
}

async function fill(api: Pick<Api<ContentTypes>, 'items' | 'assets'>): Promise<void> {
  const photo = new File([new Uint8Array(await specimens.photo())], 'oak-galls.jpg')
  const at = { configId: 'magazine' }
  const cover = await api.assets.create({ ...at, type: 'picture', fields: { alt: 'Oak galls' }, file: photo })
  await api.items.update({ ...at, id: cover.id, focalPoint: { x: 0.2, y: 0.4 } })
  await api.items.publish({ ...at, id: cover.id })
  for (let number = 1; number <= 25; number++) {
    const name = `Article ${String(number).padStart(2, '0')}`
    const fields = { title: `About ${number}`, ...(number === 1 && { cover: cover.id }) }
    await api.items.create({ repositoryId: 'magazine', type: 'article', name, fields })
  }
}
