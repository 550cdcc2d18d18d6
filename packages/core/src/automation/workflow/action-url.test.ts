import { describe, expect, it } from 'vitest'
import { actionUrl } from './outcome.ts'

const connection = {
  baseUrl: 'https://engine.example.com/v1',
  allowedOrigins: ['https://actions.example.com', 'http://engine.example.com:8080'],
}

describe('the address of the next action', () => {
  it.each([
    ['https://engine.example.com/a?b=c', 'https://engine.example.com/a?b=c'],
    ['https://engine.example.com:443/a', 'https://engine.example.com/a'],
    ['HTTPS://ENGINE.example.com/a', 'https://engine.example.com/a'],
    ['https://actions.example.com/a', 'https://actions.example.com/a'],
    ['http://engine.example.com:8080/a', 'http://engine.example.com:8080/a'],
    ['/instances/1', 'https://engine.example.com/instances/1'],
    ['instances/1', 'https://engine.example.com/instances/1'],
    ['?next=https://sink.example.com', 'https://engine.example.com/v1?next=https://sink.example.com'],
    ['//actions.example.com/a', 'https://actions.example.com/a'],
  ])('%s is resolved and kept', (url, whole) => {
    expect(actionUrl(connection, url)).toBe(whole)
  })

  it.each([
    ['of another host', 'https://sink.example.com/a'],
    ['of another host, written without its scheme', '//sink.example.com/a'],
    ['of another host, behind backslashes', '\\\\sink.example.com\\a'],
    ['of another host, behind tabs', '/\t/sink.example.com/a'],
    ['of a subdomain', 'https://a.engine.example.com/a'],
    ['of a host that only begins with the name', 'https://engine.example.com.sink.example.com/a'],
    ['of a host after a user name', 'https://engine.example.com@sink.example.com/a'],
    ['of another port', 'https://engine.example.com:8443/a'],
    ['of another scheme', 'http://engine.example.com/a'],
    ['of another port of an allowed origin', 'https://actions.example.com:8080/a'],
    ['with a user name', 'https://eva@engine.example.com/a'],
    ['with a password', 'https://:secret@engine.example.com/a'],
    ['with a scheme that has no origin', 'file:///etc/passwd'],
    ['with a script', 'javascript:alert(1)'],
    ['wrapped in another scheme', 'blob:https://engine.example.com/a'],
    ['that is invalid', 'https://'],
  ])('is null if it is one %s', (_name, url) => {
    expect(actionUrl(connection, url)).toBeNull()
  })

  it('is null if the base URL of the connection is invalid', () => {
    expect(actionUrl({ baseUrl: 'nowhere', allowedOrigins: [] }, 'https://engine.example.com/a')).toBeNull()
  })
})
