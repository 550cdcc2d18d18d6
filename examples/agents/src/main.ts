import { draft, revise } from './agent.ts'
import { connectAgent, openDesk } from './desk.ts'

const desk = await openDesk()
const { editor, quire, account } = desk
const client = await connectAgent(desk)
const repo = 'magazine'

const packageName = await draft(client)
console.log(`The agent drafted in ${packageName}.`)

const { items: changes } = await editor.packages.changes({ repo, packageName })
const [change] = changes
await editor.packages.addComment({
  repo,
  packageName,
  body: 'Sentence case, and no exclamation mark.',
  decision: 'requestChanges',
  ...(change && { entityId: change.entity.id, path: 'fields.title' }),
})
console.log('The editor sent it back.')

await revise(client, packageName)
const { review } = await editor.packages.get({ repo, packageName })
console.log(`The agent revised it: the review is ${review?.state}.`)

const agent = quire.as({ kind: 'service', id: account.id })
const refused = await agent.packages.merge({ repo, packageName }).catch((error: Error) => error.message)
console.log(`The agent cannot merge: ${JSON.stringify(refused)}`)

await editor.packages.addComment({ repo, packageName, body: 'Good.', decision: 'approve' })
await editor.packages.merge({ repo, packageName })
const { items: merged } = await editor.items.list({ configId: repo })
console.log(`Merged: ${merged.map(({ fields }) => JSON.stringify(fields)).join(', ')}`)

const { items: calls } = await editor.activity.list({ configId: repo, event: 'AGENT_CALLED' })
console.log(`${calls.length} calls are in the activity, by ${calls.at(-1)?.program}.`)

const back = await editor.packages.takeBack({ repo, agent: account.id })
console.log(`Taken back: ${back.items.map(({ action }) => action).join(', ')}`)

await client.close()
await quire.close()
