import { expect, it } from 'vitest'
import { locationOf } from '../../codec/location.ts'
import { contract } from '../../contract.ts'
import { openApiDocument } from '../../openapi/index.ts'
import { isJsonObject } from '../../openapi/json.ts'

const { generateKey } = contract.admin

it('an access configuration is created in the group of the specification, and read in its own group', () => {
  const { id } = generateKey.example.output ?? { id: '' }
  expect(locationOf('admin', generateKey.example.output)).toBe(`/api/admin/access/${id}`)
})

it('the OpenAPI document allows additional members only in access configurations, requests to language models and token requests', () => {
  const { components } = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '1.0.0' })
  const bodies = Object.entries(components['schemas'] ?? {}).filter(([name]) => name.endsWith('Body'))
  const open = bodies.filter(([, schema]) => isJsonObject(schema) && schema['additionalProperties'] !== false)
  expect(open.map(([name]) => name)).toEqual([
    'AdminGenerateKeyBody',
    'AiChatBody',
    'AiEmbeddingsBody',
    'AuthTokenBody',
  ])
})
