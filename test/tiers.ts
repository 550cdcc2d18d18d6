/** Every file of tests. */
const all = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'test/**/*.test.ts',
  'examples/**/*.test.ts',
  'bench/**/*.test.ts',
]

/** Tests that assert how long something takes, or kill within milliseconds: one after the other, with nothing beside them. */
const alone = [
  'packages/blobs-s3/test/{processes,slow-bucket}.test.ts',
  'packages/outbound-undici/src/{connections,failures}.test.ts',
  'packages/server/src/commands/stop-on-signal.test.ts',
  'test/fuzz/long-texts.test.ts',
  'test/kill/kill.test.ts',
  'test/kill/{merges/merges,processes/processes}.test.ts',
  'test/secrecy/timing.test.ts',
  'test/server/loop.test.ts',
  'test/uploads/{bombs,departures}.test.ts',
  'test/webhooks/targets.test.ts',
  'test/workflow/misbehaviour.test.ts',
]

/** Tests of packages that keep no state outside of what a test makes: they share what they load. */
const units = ['packages/{client,contract,core,store-sql}/src/**/*.test.ts']

/**
 * Tests that need a second process: a server, PostgreSQL, a bucket, a browser, a compiler. They may run beside
 * each other, because each has its own folder, schema, bucket and port. The suites of the API that run on a server and on a database are here too.
 */
const services = [
  'examples/{graphql-typed,postgres-s3}/**/*.test.ts',
  'packages/blobs-fs/src/{full,processes}.test.ts',
  'packages/blobs-s3/test/**/*.test.ts',
  'packages/contract/src/{openapi,typescript}/document.test.ts',
  'packages/extract-node/**/*.test.ts',
  'packages/server/src/commands/**/*.test.ts',
  'packages/server/src/doctor/**/*.test.ts',
  'packages/server/src/explorer/**/*.test.ts',
  'packages/server/src/management/serve-management.test.ts',
  'packages/server/src/storage/server-key.test.ts',
  'packages/server/test/migrate-store/**/*.test.ts',
  'packages/server/test/{built,redirects,shared-database}.test.ts',
  'packages/server/test/api/{http,postgres,sqlite}.test.ts',
  'packages/store-postgres/**/*.test.ts',
  'packages/store-sqlite/src/{heavy-worker,open-store,reindex}.test.ts',
  'packages/store-sqlite/test/{built,full-disk}.test.ts',
  'test/docs.test.ts',
  'test/{browser,faults,fuzz,kill,secrecy,server,upgrades,uploads,workflow}/**/*.test.ts',
]

const never = ['**/node_modules/**', '**/dist/**']

/** Which files each project of vitest.config.ts runs: `npm test` the first two, `npm run test:all` all of them. */
export const tiers = {
  units: { include: units, exclude: [...never, ...services, ...alone] },
  quick: { include: all, exclude: [...never, ...units, ...services, ...alone] },
  services: { include: services, exclude: [...never, ...alone] },
  alone: { include: alone, exclude: never },
}
