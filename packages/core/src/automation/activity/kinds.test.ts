import { activityEvents, folderEvents, itemEvents } from '@quire/contract'
import { expect, it } from 'vitest'
import { logRules } from './visible.ts'

// Events of the whole service, or of its security, which has its own log.
const ofNoRepository =
  /^(TYPE|ROLE|BUNDLE|USER|GROUP|SESSION|SIGN_IN_LINK|SIGNING_KEY|SERVER_KEY|SERVICE_ACCOUNT|SETTINGS|ACCESS_CONFIGURATION|WORKFLOW_CONNECTION|WORKFLOW_DEFINITION)_/

it('has rules for every event of a repository', () => {
  const events = [...itemEvents, ...folderEvents, ...activityEvents]
  const unknown = events.filter((event) => (logRules(event) === null) !== ofNoRepository.test(event))
  // Each needs a rule in visible.ts, or, if it is of no repository, its prefix above.
  expect(unknown, 'events with neither a log rule nor a prefix in ofNoRepository').toEqual([])
})
