import { createServer } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openCourier, type Courier } from './courier.ts'
import type { StatusMessage } from './messages.ts'

const key = { apiKey: 'a key of the tests' }
const received: string[] = []
const quire = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => (body += piece))
  request.on('end', () => {
    received.push(JSON.parse(body).currentStep)
    response.end()
  })
})
let courier: Courier | undefined

afterEach(async () => {
  await courier?.close()
  quire.close()
})

const message = (workflowInstanceId: string, currentStep: string): StatusMessage => ({
  workflowInstanceId,
  currentStep,
  repositoryId: 'REPO_1',
  packageName: 'spring',
  status: 'active',
})

describe('a courier', () => {
  it('delivers the messages of an instance in order, and forgets delivered ones', async () => {
    const url = await new Promise<string>((listening) => {
      quire.listen(0, '127.0.0.1', () => {
        const address = quire.address()
        listening(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
      })
    })
    courier = openCourier({ key, retryMs: 1 })
    courier.add(url, message('one', 'editorial'))
    courier.add(url, message('one', 'legal'))
    courier.add(url, message('two', 'chief'))
    courier.send()
    expect(courier.waiting()).toBe(2)
    await vi.waitFor(() => expect(courier?.waiting()).toBe(0))
    expect(received.filter((step) => step !== 'chief')).toEqual(['editorial', 'legal'])
    expect(received).toHaveLength(3)
  })
})
