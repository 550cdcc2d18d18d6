import { upstream } from '../site.ts'
import type { Targets } from '../targets.ts'
import { createArticle } from '../things.ts'
import type { InputMakers } from './input-makers.ts'

const messages = [{ role: 'user', content: 'What is ink?' }]

/** Requests to language models. */
export const ai: InputMakers<'ai'> = {
  providers: () => ({}),
  chat: async (at) => ({ accessId: await accessFor(at, 'openai'), model: 'small', messages }),
  embeddings: async (at) => ({ accessId: await accessFor(at, 'openai'), model: 'small', input: 'ink' }),
  models: async (at) => ({ accessId: await accessFor(at, 'openai') }),
  task: async (at) => ({
    accessId: await accessFor(at, 'openai'),
    task: 'summarize',
    repositoryId: at.configId,
    itemId: (await createArticle(at)).id,
    model: 'small',
  }),
}

/** Proxied requests. */
export const integrations: InputMakers<'integrations'> = {
  list: () => ({}),
  pass: async (at) => ({
    accessId: await accessFor(at, 'http'),
    path: 'found',
    method: 'POST',
  }),
}

async function accessFor({ system, word }: Targets, type: string): Promise<string> {
  const { id } = await system.admin.generateKey({
    name: word('Access'),
    type,
    baseUrl: upstream,
    allowedMethods: ['POST'],
    allowedPaths: ['/found'],
  })
  return id
}
