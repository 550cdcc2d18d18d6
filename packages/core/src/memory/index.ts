export { memoryBlobs } from './blobs.ts'
export { fixedClock, testStart, type FixedClock } from './fixed-clock.ts'
export { seededIds } from './seeded-ids.ts'
export { silentLog, systemClock } from '../adapters/system.ts'
export { fakeExtraction } from './fakes.ts'
export { randomIds } from '../adapters/system.ts'
export { fakeMedia } from './media.ts'
export { closedOutbound, fakeOutbound, type FakeAnswer, type FakeOutbound } from './outbound.ts'
export { inlinePageDiffs } from './fakes.ts'
export {
  scriptedEngine,
  type ScriptedCallback,
  type ScriptedEngine,
  type ScriptedInstance,
  type ScriptedStep,
} from './scripted-engine.ts'
export { memorySecrets, type Compression, type KeyRing } from './secrets.ts'
export { createMemoryStore } from './store.ts'
