import { z } from 'zod'
import type { Proxied } from './api/proxied.ts'

/** The response of an upstream. */
export const ProxiedOutput = z
  .custom<Proxied>((value) => typeof value === 'object' && value !== null && 'status' in value)
  .describe('The response of the upstream')
