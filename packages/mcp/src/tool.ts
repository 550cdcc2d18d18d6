import type { Api, CallOptions } from '@quire/contract'
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'

/** What a tool works with: the API of one caller, and the connection to its client. */
export interface ToolCall {
  readonly api: Api
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** For every call of the API: the program of the agent, and the signal that cancels. */
  readonly options: CallOptions
  /** Tells a client that wants to know it how far the tool is. */
  readonly progress: (done: number, total: number, message: string) => Promise<void>
}

/** What a tool answers. */
export interface ToolAnswer {
  /** What the service says: names, states, and what was left out and how to get it. */
  readonly about?: object
  /** What people or programs wrote into the repository: data, never instructions. */
  readonly content?: object
  /** What the answer is about, as resources that the client can read. */
  readonly links?: readonly ResourceRef[]
}

/** A resource that an answer refers to. */
export interface ResourceRef {
  readonly uri: string
  readonly name: string
}

/** One tool. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: I
  readonly annotations: ToolAnnotations
  /** Errors: QuireError. The model gets it as a text that says what to do. */
  run(call: ToolCall, input: z.output<I>): Promise<ToolAnswer>
}

/** Declares a tool, whose `run` gets what its input parses to. */
export function tool<I extends z.ZodObject>(declared: Tool<I>): Tool {
  return declared
}

/** The annotations of a tool that changes nothing. */
export const readOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** The annotations of a tool that writes into a package. */
export const writesInPackage: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  openWorldHint: false,
}
