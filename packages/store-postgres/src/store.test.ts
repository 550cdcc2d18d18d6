import { restartSuite, storeSuite } from '@quire/testkit/suites'
import { describe } from 'vitest'
import { openTestStore, location, testDatabase } from '../../../test/services/postgres.ts'

describe.skipIf(testDatabase === null)(`PostgreSQL ${location}`, () => {
  storeSuite('on PostgreSQL', openTestStore)
  restartSuite('on PostgreSQL', openTestStore)
})
