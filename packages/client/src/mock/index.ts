export { createMockQuire, type MockQuire, type MockQuireOptions } from './create-mock-quire.ts'
export { quireHandlers, type QuireHandlersOptions } from './handlers.ts'
