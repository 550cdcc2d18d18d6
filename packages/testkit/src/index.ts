export * from './entity.ts'
export * from './issuer.ts'
export * from './people.ts'
export { blobSuite, type OpenBlobs, type OpenedBlobs } from './blobs/suite.ts'
export { aJob } from './store/job-samples.ts'
export { aGroup } from './store/record-samples.ts'
export { restartSuite, storeSuite, type OpenedStore, type OpenStore } from './store/suite.ts'
export { apiSuite } from './api/suite.ts'
export { fakeTargets } from './api/connections/targets.ts'
export type { ApiHost, Caller, Credentials, OpenApiHost } from './api/host.ts'
export { extractionSuite, type OpenExtraction } from './extraction/suite.ts'
export type { OpenMedia } from './media/open.ts'
export { mediaSuite } from './media/suite.ts'
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
export { fakePeers } from './fake-peers.ts'
