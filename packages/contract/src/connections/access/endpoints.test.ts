import { expect, it } from 'vitest'
import { locationOf } from '../../codec/location.ts'
import { contract } from '../../contract.ts'
import { openApiDocument } from '../../openapi/index.ts'
import { isJsonObject } from '../../openapi/json.ts'

const { generateKey } = contract.admin

it('an access configuration is created where the specification has it, and read in its own group', () => {
  const { id } = generateKey.example.output ?? { id: '' }
  expect(locationOf('admin', generateKey.example.output)).toBe(`/api/admin/access/${id}`)
})

it('the OpenAPI document takes further members of an access configuration and of what is passed on to language models, of a token request, and of nothing else', () => {
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
