import { openApiDocument } from '@quire/contract/openapi'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'

it('the document has no error of the OpenAPI rules of spectral', async () => {
  const linter = new spectral.Spectral()
  // Its type lacks a member that is optional at run time.
  linter.setRuleset(rulesets.oas as RulesetDefinition)
  const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '1.2.3' })
  const findings = await linter.run({ ...document })
  // The only warning: a service has no person to contact.
  expect(findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'info-contact: Info object must have "contact" object.',
  ])
}, 120_000)
