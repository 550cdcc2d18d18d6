import { randomUUID } from 'node:crypto'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { blobSuite } from '@quire/testkit/suites'
import { describe } from 'vitest'
import { openS3Blobs } from '../src/index.ts'
import { bucket, useSwift } from '../../../test/services/swift.ts'

describe('a self-hosted store', () => {
  const swift = useSwift()

  blobSuite('in a bucket', async () => {
    const prefix = `${randomUUID()}/`
    const reopen = () => openS3Blobs({ ...swift().options, prefix })
    return {
      blobs: await reopen(),
      reopen,
      damage: (hash) => flipLastBit(`${prefix}blobs/${hash}`),
      close: async () => {},
    }
  })

  async function flipLastBit(key: string): Promise<void> {
    const { Body } = await swift().client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
    const bytes = await Body?.transformToByteArray()
    if (!bytes) throw new Error(`There is no ${key}.`)
    const last = bytes.length - 1
    bytes[last] = (bytes[last] ?? 0) ^ 1
    await swift().client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }))
  }
})
