import { expect, it } from 'vitest'
import { memorySecrets } from '../memory/index.ts'
import { keptMembers, openedMembers } from './stored.ts'

const secrets = memorySecrets()
const members = {
  baseUrl: 'https://api.example/v1',
  apiKey: 'CANARY-1',
  provider: { clientSecret: 'CANARY-2', region: 'eu' },
}
const about = { name: 'Model', type: 'openai', createdDate: 0 }

it('what is kept of an access configuration shows no secret, and opens to what was sent', async () => {
  const kept = await keptMembers({ secrets }, 'ACCS_1', members)
  expect(kept.members).toEqual({
    baseUrl: 'https://api.example/v1',
    apiKey: '***',
    provider: { clientSecret: '***', region: 'eu' },
  })
  expect(JSON.stringify(kept)).not.toContain('CANARY')
  expect(await openedMembers({ secrets }, { id: 'ACCS_1', ...about, ...kept })).toEqual(members)
})

it('what is sealed for one configuration opens for no other', async () => {
  const kept = await keptMembers({ secrets }, 'ACCS_1', members)
  await expect(openedMembers({ secrets }, { id: 'ACCS_2', ...about, ...kept })).rejects.toThrow(/operation/)
})

it('nothing is sealed where nothing is secret', async () => {
  const plain = { region: 'eu', budget: { tokens: 5 } }
  const kept = await keptMembers({ secrets }, 'ACCS_1', plain)
  expect(kept).toEqual({ members: plain, sealedMembers: null })
  expect(await openedMembers({ secrets }, { id: 'ACCS_1', ...about, ...kept })).toEqual(plain)
})
