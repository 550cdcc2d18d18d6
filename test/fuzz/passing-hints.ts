import type { Hints } from './hinting.ts'

/** Hints for language models. None of them answers: requests fail at the outbound connection. */
export const aiHints: Hints = {
  accessId: ({ random, pool }) => pool.accesses.pick(random) ?? 'nothing-yet',
  messages: () => [{ role: 'user', content: 'What is ink?' }],
  stream: ({ random }) => random.pick([undefined, true, false, null]),
  repositoryId: ({ random, pool }, item) => item?.repositoryId ?? pool.repositories.pick(random),
  itemId: (_, item) => item?.id,
  packageName: () => undefined,
  model: ({ random }) => random.pick([undefined, 'small', '']),
  language: ({ random }) => random.pick(['de', 'pt-BR', 'not a tag']),
  taxonomyId: ({ taxonomy }) => taxonomy?.id,
}

/** Hints for proxied requests. No upstream answers. */
export const integrationHints: Hints = {
  accessId: ({ random, pool }) => pool.accesses.pick(random) ?? 'nothing-yet',
  path: ({ random }) =>
    random.pick([
      '',
      'v1/models',
      'a b/é',
      'a/',
      '..',
      'a/../b',
      '%2e%2e',
      'a\\b',
      '/a',
      'http://fuzz.invalid/',
    ]),
}
