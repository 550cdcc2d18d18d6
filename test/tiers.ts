/** All test files. */
const all = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'test/**/*.test.ts',
  'examples/**/*.test.ts',
  'bench/**/*.test.ts',
]

/**
 * Tests that assert durations, or kill within milliseconds. They run one at a time, without others
 * in parallel.
 */
const alone = [
  'bench/src/ratios.test.ts',
  'packages/blobs-s3/test/{processes,slow-bucket}.test.ts',
  'packages/outbound-undici/src/{connections,failures}.test.ts',
  'packages/server/src/commands/stop-on-signal.test.ts',
  'test/compiler/compiler.test.ts',
  'test/console/speed.test.ts',
  'test/fuzz/long-texts.test.ts',
  'test/kill/kill.test.ts',
  'test/kill/{merges/merges,processes/processes}.test.ts',
  'test/secrecy/timing.test.ts',
  'test/server/loop.test.ts',
  'test/uploads/{bombs,departures}.test.ts',
  'test/webhooks/targets.test.ts',
  'test/workflow/misbehaviour.test.ts',
]

/** Tests of packages without state outside of a test. They share the loaded modules. */
const units = ['packages/{client,contract,core,store-sql}/src/**/*.test.ts']

/**
 * Tests that need a second process: a server, PostgreSQL, a bucket, a browser, a compiler. They may
 * run in parallel, because each has its own folder, schema, bucket and port. The suites of the API
 * on a server and on a database are included.
 */
const services = [
  'examples/{graphql-typed,postgres-s3,react-vite,schema-as-code}/**/*.test.ts',
  'packages/blobs-fs/src/{full,processes}.test.ts',
  'packages/blobs-s3/test/**/*.test.ts',
  'packages/contract/src/{openapi,typescript}/document.test.ts',
  'packages/extract-node/**/*.test.ts',
  'packages/server/src/commands/**/*.test.ts',
  'packages/server/src/console/**/*.test.ts',
  'packages/server/src/demo/demo-lines.test.ts',
  'packages/server/src/doctor/**/*.test.ts',
  'packages/server/src/explorer/**/*.test.ts',
  'packages/server/src/export-folder/**/*.test.ts',
  'packages/server/src/management/serve-management.test.ts',
  'packages/server/src/storage/{server-key,storage}.test.ts',
  'packages/server/test/migrate-store/**/*.test.ts',
  'packages/server/test/{built,mcp,redirects,shared-database}.test.ts',
  'packages/server/test/api/{exports,http,postgres,sqlite}.test.ts',
  'packages/store-postgres/**/*.test.ts',
  'packages/store-sqlite/src/{heavy-worker,open-store,reindex}.test.ts',
  'packages/store-sqlite/test/{built,full-disk}.test.ts',
  'test/agents/escape.test.ts',
  'test/caching/remembered-postgres.test.ts',
  'test/docs.test.ts',
  'test/hosts/{next,runtimes}.test.ts',
  'test/{browser,clients,console,consumers,deploy,faults,fuzz,kill,scripts,secrecy,server,upgrades,uploads,workflow}/**/*.test.ts',
]

/**
 * The files that take longest in their tier. They start first, so that none of them is left when all
 * others have ended, with the rest of the machine idle.
 */
export const longest = [
  'packages/store-sqlite/src/store.test.ts',
  'packages/server/test/api/{mock,postgres}.test.ts',
  'packages/testkit/src/api/{memory,repeated}.test.ts',
  'packages/testkit/src/packages/histories.test.ts',
  'test/access/{matrix,spellings}.test.ts',
  'test/maintenance/sync-docs.test.ts',
  'test/fuzz/fuzz.test.ts',
  'packages/store-postgres/src/store.test.ts',
  'test/console/{content,packages}.test.ts',
  'test/kill/deliveries/deliveries.test.ts',
  'packages/blobs-s3/test/faults.test.ts',
  'test/consumers/consumers.test.ts',
  'test/browser/published-site.test.ts',
  'test/deploy/bundle.test.ts',
]

const never = ['**/node_modules/**', '**/dist/**']

/**
 * The files of each project in vitest.config.ts. `npm test` runs the first two, `npm run test:all`
 * runs all.
 */
export const tiers = {
  units: { include: units, exclude: [...never, ...services, ...alone] },
  quick: { include: all, exclude: [...never, ...units, ...services, ...alone] },
  services: { include: services, exclude: [...never, ...alone] },
  alone: { include: alone, exclude: never },
}
