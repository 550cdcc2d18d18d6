// Without vitest: for tests in any runner. The suites are in suites.ts.
export { fixedClock, seededIds, testStart, type FixedClock } from '@quire/core/memory'
export * from './entity.ts'
export * from './issuer.ts'
export * from './people.ts'
export { aJob } from './store/job-samples.ts'
export { aGroup } from './store/record-samples.ts'
export { onRandomVersions, type WrittenVersions } from './store/random-versions.ts'
export { fakeTargets } from './api/connections/targets.ts'
export { type Specimen, specimens } from './media/specimens.ts'
export {
  type QueryContext,
  queryContexts,
  askFacets,
  askList,
  askSearch,
  plainContexts,
  someContexts,
  walkedFilters,
  writePlanHeads,
} from './plans/query-context.ts'
export { planFilters, planSorts, usualSorts } from './plans/shapes.ts'
export { digestsOfMain } from './packages/store-text.ts'
export { fakePeers } from './fake-peers.ts'
