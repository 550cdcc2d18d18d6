import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { expect, it } from 'vitest'
import { createQuire, systemIdentity } from '../src/index.ts'
import { createMemoryStore } from '../src/memory/index.ts'

// test/traces uses the current SDK, which needs a newer version of the API than the core has.
it('an SDK on the same version of the API gets the spans', async () => {
  const exporter = new InMemorySpanExporter()
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
  const quire = createQuire({ store: createMemoryStore() })
  await quire.as(systemIdentity('test')).repositories.create({ name: 'magazine' })
  await quire.close()
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name }) => name)).toEqual(['quire.transaction', 'repositories.create'])
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1)
})
