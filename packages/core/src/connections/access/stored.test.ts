import { expect, it } from 'vitest'
import { memorySecrets } from '../../memory/index.ts'
import { storedMembers, openedMembers } from './configurations.ts'

const secrets = memorySecrets()
const members = {
  baseUrl: 'https://api.example/v1',
  apiKey: 'CANARY-1',
  provider: { clientSecret: 'CANARY-2', region: 'eu' },
}
const about = { name: 'Model', type: 'openai', createdDate: 0 }

it('what is kept of an access configuration shows no secret, and opens to what was sent', async () => {
  const stored = await storedMembers({ secrets }, 'ACCS_1', members)
  expect(stored.members).toEqual({
    baseUrl: 'https://api.example/v1',
    apiKey: '***',
    provider: { clientSecret: '***', region: 'eu' },
  })
  expect(JSON.stringify(stored)).not.toContain('CANARY')
  expect(await openedMembers({ secrets }, { id: 'ACCS_1', ...about, ...stored })).toEqual(members)
})

it('what is sealed for one configuration opens for no other', async () => {
  const stored = await storedMembers({ secrets }, 'ACCS_1', members)
  await expect(openedMembers({ secrets }, { id: 'ACCS_2', ...about, ...stored })).rejects.toThrow(/operation/)
})

it('nothing is sealed where nothing is secret', async () => {
  const plain = { region: 'eu', budget: { tokens: 5 } }
  const stored = await storedMembers({ secrets }, 'ACCS_1', plain)
  expect(stored).toEqual({ members: plain, sealedMembers: null })
  expect(await openedMembers({ secrets }, { id: 'ACCS_1', ...about, ...stored })).toEqual(plain)
})
