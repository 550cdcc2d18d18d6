import { expect, it } from 'vitest'
import { draft, revise } from './agent.ts'
import { connectAgent, openDesk } from './desk.ts'

it('drafts, is sent back, revises, is merged, and is taken back', async () => {
  const desk = await openDesk()
  const { editor, quire, account } = desk
  const client = await connectAgent(desk)
  const repo = 'magazine'
  const packageName = await draft(client)
  const { items: changes } = await editor.packages.changes({ repo, packageName })
  await editor.packages.addComment({
    repo,
    packageName,
    body: 'Sentence case.',
    decision: 'requestChanges',
    entityId: changes[0]?.entity.id ?? '',
    path: 'fields.title',
  })
  await revise(client, packageName)
  expect(await editor.packages.get({ repo, packageName })).toMatchObject({ review: { state: 'requested' } })
  const { count } = await editor.packages.comments({ repo, packageName, state: 'resolved' })
  expect(count).toBeGreaterThan(0)
  const agent = quire.as({ kind: 'service', id: account.id })
  await expect(agent.packages.merge({ repo, packageName })).rejects.toMatchObject({ code: 'forbidden' })
  await editor.packages.merge({ repo, packageName })
  const { items } = await editor.items.list({ configId: repo })
  expect(items).toMatchObject([{ fields: { title: 'Ink that remembers' } }])
  await editor.packages.takeBack({ repo, agent: account.id })
  expect((await editor.items.list({ configId: repo })).items).toEqual([])
  await client.close()
  await quire.close()
})
