export { createMockQuire, type MockQuire, type MockQuireOptions } from './create-mock-quire.ts'
export { fakeOutbound, scriptedEngine, type ScriptedEngine, type ScriptedStep } from '@quire/core/memory'
export { quireHandlers, type QuireHandlersOptions } from './handlers.ts'
