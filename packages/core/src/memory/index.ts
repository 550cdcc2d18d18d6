export { memoryBlobs } from './blobs.ts'
export { silentLog, systemClock } from './environment.ts'
export { fakeExtraction } from './extraction.ts'
export { randomIds } from './ids.ts'
export { fakeMedia } from './media.ts'
export { closedOutbound, fakeOutbound, type FakeAnswer, type FakeOutbound } from './outbound.ts'
export { inlinePageDiffs } from './page-diffs.ts'
export {
  scriptedEngine,
  type ScriptedCallback,
  type ScriptedEngine,
  type ScriptedInstance,
  type ScriptedStep,
} from './scripted-engine.ts'
export { memorySecrets, type KeyRing } from './secrets.ts'
export { createMemoryStore } from './store.ts'
