import { restartSuite, storeSuite } from '@quire/testkit'
import { describe } from 'vitest'
import { openTestStore, place, testDatabase } from '../../../test/services/postgres.ts'

describe.skipIf(testDatabase === null)(`PostgreSQL ${place}`, () => {
  storeSuite('on PostgreSQL', openTestStore)
  restartSuite('on PostgreSQL', openTestStore)
})
