import { expect, it } from 'vitest'
import { assets } from '../assets/endpoints.ts'
import { uploads } from './endpoints.ts'

it.each(Object.entries({ create: uploads.create, append: uploads.append }))(
  '%s declares what an asset can be refused for once its file is there',
  (_, { errors }) => {
    const ofAsset = assets.create.errors.filter((code) => code !== 'idempotency_mismatch')
    expect(errors).toEqual(expect.arrayContaining(ofAsset))
  },
)
