import { administrator } from '../server/api-access.ts'
import type { Hints } from './hinting.ts'
import { preparedPackage } from './prepare.ts'

/** Hints for package reviews. */
export const workflowHints: Hints = {
  event: ({ random }) => random.pick(['assign', 'assign', 'assign', 'approve', 'start', 'route', 'cancel']),
  repositoryId: ({ pool }) => pool.magazine,
  repo: ({ pool }) => pool.magazine,
  packageName: ({ operation, random, review }) =>
    operation.id !== 'workflow.status' && random.chance(0.2) ? preparedPackage : review?.packageName,
  workflowInstanceId: ({ random, review }) => (random.chance(0.9) ? review?.instance : 'another'),
  workflowId: ({ random, pool }) => pool.definitions.pick(random),
  currentStep: ({ random }) => random.pick(['review', 'legal', 'print']),
  // Final statuses are left to chance, because they end a review for good.
  status: ({ operation, random }) =>
    operation.id === 'workflow.status' ? random.pick(['active', 'active', 'error']) : undefined,
  nextActionUrl: ({ random }) =>
    random.pick([
      undefined,
      null,
      'https://fuzz.invalid/x',
      'https://elsewhere.invalid',
      'http://127.0.0.1',
      '/x',
      '//x',
      'x:y',
    ]),
  targetStep: ({ random }) => random.pick([undefined, 'review', 'none']),
  assignee: ({ operation, random }) => {
    if (operation.id === 'workflow.inbox') return random.pick(['me', administrator.id])
    const userName = random.pick([administrator.id, administrator.id, 'nobody@example.org'])
    return operation.id === 'workflow.event' ? { userName } : { userName, displayName: 'A', email: '' }
  },
  comment: ({ random }) => random.pick([undefined, 'Fine', 'x'.repeat(300)]),
}

/** Hints for connections to engines. Nothing listens at these addresses. */
export const connectionHints: Hints = {
  id: ({ operation: { method }, random, pool }) =>
    method === 'GET'
      ? pool.connections.pick(random)
      : (pool.connections.pickExpendable(random) ?? 'none-yet'),
  name: ({ random }) => `Engine ${random.below(300)}`,
  baseUrl: ({ random }) =>
    random.chance(0.85)
      ? 'https://fuzz.invalid'
      : random.pick(['http://127.0.0.1/', 'http://[::1]', 'https://a:b@fuzz.invalid', 'x:y', '']),
  callbackBaseUrl: ({ random }) =>
    random.chance(0.9) ? 'https://quire.example.com' : random.pick(['http://127.0.0.1', 'x:y', '']),
  auth: ({ random }) =>
    random.pick([
      { kind: 'none' },
      { kind: 'bearer', token: 'fuzz' },
      { kind: 'basic', username: 'fuzz', password: 'fuzz' },
      { kind: 'api_key', headerName: random.pick(['x-key', 'host', 'a\nb']), key: 'fuzz' },
      { kind: 'bearer', token: '***' },
    ]),
  callback: ({ random }) =>
    random.pick([{}, { apiKey: 'sixteen-characters-and-more' }, { signingSecret: null }, { apiKey: '***' }]),
  allowedOrigins: ({ random }) => random.pick([[], [], ['https://fuzz.invalid'], ['https://fuzz.invalid/x']]),
  timeoutMs: ({ random }) => 100 + random.below(400),
}

/** Hints for workflows that can be started. */
export const definitionHints: Hints = {
  id: ({ operation: { method }, random, pool }) =>
    method === 'GET'
      ? pool.definitions.pick(random)
      : (pool.definitions.pickExpendable(random) ?? 'none-yet'),
  name: ({ random }) => `Workflow ${random.below(300)}`,
  connectionId: ({ random, pool }) => pool.connections.pick(random),
  initialTriggerUrl: ({ random }) =>
    random.pick([
      '/start',
      '/start/{processDefinitionKey}',
      '/start?a=b',
      '//elsewhere.invalid',
      'x:y',
      '/..',
    ]),
  processDefinitionKey: ({ random }) => random.pick([null, 'two-step', 'a/b ä', '../..']),
}
