import { expect, it } from 'vitest'
import { memorySecrets } from '../../memory/index.ts'
import { sealMembers, openMembers } from './configurations.ts'

const secrets = memorySecrets()
const members = {
  baseUrl: 'https://api.example/v1',
  apiKey: 'CANARY-1',
  provider: { clientSecret: 'CANARY-2', region: 'eu' },
}
const about = { name: 'Model', type: 'openai', createdDate: 0 }

it('a stored access configuration shows no secrets, and can be opened', async () => {
  const stored = await sealMembers({ secrets }, 'ACCS_1', members)
  expect(stored.members).toEqual({
    baseUrl: 'https://api.example/v1',
    apiKey: '***',
    provider: { clientSecret: '***', region: 'eu' },
  })
  expect(JSON.stringify(stored)).not.toContain('CANARY')
  expect(await openMembers({ secrets }, { id: 'ACCS_1', ...about, ...stored })).toEqual(members)
})

it('members sealed for one configuration cannot be opened for another', async () => {
  const stored = await sealMembers({ secrets }, 'ACCS_1', members)
  await expect(openMembers({ secrets }, { id: 'ACCS_2', ...about, ...stored })).rejects.toThrow(/operation/)
})

it('nothing is sealed if nothing is secret', async () => {
  const plain = { region: 'eu', budget: { tokens: 5 } }
  const stored = await sealMembers({ secrets }, 'ACCS_1', plain)
  expect(stored).toEqual({ members: plain, sealedMembers: null })
  expect(await openMembers({ secrets }, { id: 'ACCS_1', ...about, ...stored })).toEqual(plain)
})
